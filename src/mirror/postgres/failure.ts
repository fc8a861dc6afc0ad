import { codeOf, RelctlError, type Remedy } from '../../core/errors/relctl-error.js';
import type { Kind } from '../../core/errors/kinds.js';
import { passwordSources, type PostgresAddress } from './address.js';

type Failure = Remedy & { readonly kind: Kind; readonly words: string };

const rights: Remedy = {
  advice:
    'Ask the owner of the database: the user needs the right to create a schema (GRANT CREATE ON DATABASE), or a schema of its ' +
    'own, and temporary tables (GRANT TEMPORARY ON DATABASE).',
};

const checkPassword: Remedy = { advice: `Pass the password ${passwordSources}.` };

const known: Readonly<Record<string, Failure>> = {
  '28P01': { kind: 'profile', words: 'refuses the password', ...checkPassword },
  '28000': { kind: 'profile', words: 'refuses this user', ...checkPassword },
  '2BP01': {
    kind: 'local',
    words: 'has a view or a table of somebody else that needs a column which the mirror no longer has',
    advice: 'relctl changed nothing. Drop that view or table, and create it again after this run.',
  },
  '25P03': { kind: 'no-answer', words: 'ended the connection: it was idle' },
  '25P04': { kind: 'no-answer', words: 'ended the connection: its transaction took too long' },
  '3D000': { kind: 'profile', words: 'has no such database', advice: 'Create it: `createdb NAME`.' },
  '42501': { kind: 'profile', words: 'does not allow that for this user', ...rights },
  '25006': {
    kind: 'profile',
    words: 'is read-only: it is a replica of another server',
    advice: 'Use its primary server.',
  },
  '53100': { kind: 'local', words: 'has no disk space left' },
  '53300': { kind: 'no-answer', words: 'accepts no more connections' },
  '55P03': { kind: 'locked', words: 'is locked by another run' },
  '57P01': { kind: 'no-answer', words: 'is being shut down' },
  '57P05': { kind: 'no-answer', words: 'ended the connection: it was idle' },
  '57P03': { kind: 'no-answer', words: 'is not ready for connections' },
  ECONNREFUSED: { kind: 'no-answer', words: 'refused the connection: nothing listens on that port' },
  ECONNRESET: { kind: 'no-answer', words: 'ended the connection' },
  EPIPE: { kind: 'no-answer', words: 'ended the connection' },
  ENOTFOUND: { kind: 'no-answer', words: 'cannot be found: there is no server of that name' },
  EAI_AGAIN: { kind: 'no-answer', words: 'cannot be found: the name server does not answer' },
  ENOENT: { kind: 'no-answer', words: 'has no socket there: it is not running' },
  ETIMEDOUT: { kind: 'no-answer', words: 'did not answer in time' },
  EHOSTUNREACH: { kind: 'no-answer', words: 'cannot be reached' },
  ENETUNREACH: { kind: 'no-answer', words: 'cannot be reached' },
};

const certificate = /^(?:CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|INVALID_CA)/;

const classes: Readonly<Record<string, Failure>> = {
  '08': { kind: 'no-answer', words: 'closed the connection' },
  '28': known['28000'] as Failure,
  '53': { kind: 'local', words: 'does not have enough disk space or memory' },
  '57': { kind: 'no-answer', words: 'broke off' },
  '58': { kind: 'local', words: 'cannot use its disk' },
  XX: { kind: 'local', words: 'says that it is damaged' },
};

/** What pg says itself, with no code. */
const messages: readonly (readonly [RegExp, Failure])[] = [
  [
    /does not support SSL/,
    {
      kind: 'no-answer',
      words: 'does not support TLS, and relctl sends nothing to another machine in clear text',
      advice: 'Enable TLS (ssl = on). docs/mirror.md describes sslmode in the address.',
    },
  ],
  [/timeout expired/, { kind: 'no-answer', words: 'did not answer in time' }],
  [/terminated|not queryable|SSL connection|ended/, { kind: 'no-answer', words: 'ended the connection' }],
  [/SASL|SCRAM|password/i, { kind: 'profile', words: 'cannot get the password safely', ...checkPassword }],
];

const tls: Failure = {
  kind: 'no-answer',
  words: 'has an untrusted certificate',
  advice: 'Add the PEM file of its authority to the address: `?sslrootcert=FILE`.',
};

const sqlState = /^[0-9A-Z]{5}$/;

function failureOf(thrown: unknown): Failure {
  const code = codeOf(thrown) ?? '';
  const message = thrown instanceof Error ? thrown.message : '';
  if (certificate.test(code)) return tls;
  const ofClass = sqlState.test(code) ? classes[code.slice(0, 2)] : undefined;
  return (
    known[code] ??
    ofClass ??
    (code === '' ? messages.find(([form]) => form.test(message))?.[1] : undefined) ?? { kind: 'local', words: 'failed' }
  );
}

/**
 * What pg throws as an error of ours: `no-answer`, `profile`, `locked` or `local`. It holds what the server said in one
 * line, and nothing else: details may hold values. The error of pg is not kept: it may hold the statement.
 */
export function postgresFailure(thrown: unknown, { shown: display }: Pick<PostgresAddress, 'shown'>): RelctlError {
  if (thrown instanceof RelctlError) return thrown;
  const { kind, words, ...remedy } = failureOf(thrown);
  const said = thrown instanceof Error ? thrown.message.split('\n', 1)[0] : '';
  const why = said === '' || said === undefined ? '' : ` (${said})`;
  return new RelctlError(kind, `the database ${display} ${words}${why}`, {
    facts: { foreignCode: codeOf(thrown), url: display },
    ...remedy,
  });
}
