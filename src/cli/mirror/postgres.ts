import type { Context } from '../../host/context.js';
import { shellWord } from '../../lexical/shell/command.js';
import { isPostgresAddress, readPostgresAddress, type PostgresAddress } from '../../postgres/address.js';
import type { Postgres } from '../../postgres/connect.js';
import { findPassword } from '../../postgres/password.js';
import { readSchema, usualSchema } from '../../postgres/schema-name.js';
import { mirrorSettings } from '../../profiles/mirror.js';
import { profileStore } from '../session/profile-store.js';
import { profileOfMirror, type PlaceFlags } from './place.js';

/** The schema of a PostgreSQL database that a command works on. */
export interface PostgresPlace {
  readonly address: PostgresAddress;
  readonly schema: string;
  /** The schema and its database, for people. */
  readonly shown: string;
  /** The commands that fill and remove it, for errors. */
  readonly sync: string;
  readonly forget: string;
  /** The password that the profile has for it; undefined for none. Throws `profile`. */
  readonly password: (signal?: AbortSignal) => Promise<string | undefined>;
  /** True for a password that a program gives, such as a keyring, which may ask somebody. */
  readonly isOfProgram: boolean;
}

/** Where the address of a mirror comes from. */
interface Given extends Pick<PostgresPlace, 'password' | 'isOfProgram'> {
  readonly address: string;
  readonly path: string;
  /** Words of a command that name it once more. */
  readonly words: readonly string[];
  readonly schema: string | undefined;
}

const noPassword = (): Promise<undefined> => Promise.resolve(undefined);

function givenOf(context: Context, { to, profile }: PlaceFlags): Given | undefined {
  if (to !== undefined) {
    if (!isPostgresAddress(to)) return undefined;
    const words = ['--to', shellWord(to)];
    return { address: to, path: '--to', words, schema: undefined, password: noPassword, isOfProgram: false };
  }
  const { variables } = context.environment;
  const kept = mirrorSettings({ store: profileStore(context), profile, variables });
  return kept && { ...kept, words: [] };
}

/**
 * The place of a mirror in PostgreSQL: of --to, else of the profile; undefined where the mirror is a file. Throws `usage` for
 * an address that is none, and `profile` when no profile is chosen or its setting does not hold.
 */
export function postgresPlaceOf(context: Context, flags: PlaceFlags): PostgresPlace | undefined {
  const found = givenOf(context, flags);
  if (found === undefined) return undefined;
  const { variables } = context.environment;
  const address = readPostgresAddress(found.address, { path: found.path, variables });
  const schema = flags.schema === undefined ? (found.schema ?? usualSchema) : readSchema(flags.schema, '--schema');
  const words = [...found.words, ...(flags.schema === undefined ? [] : ['--schema', shellWord(flags.schema)])];
  const command = (name: string, ...more: readonly string[]): string => ['relctl mirror', name, ...more].join(' ');
  return {
    address,
    schema,
    shown: `${address.shown}, schema ${schema}`,
    sync: command('sync', ...words),
    forget: command('forget', '--profile', shellWord(profileOfMirror(context, flags)), ...words),
    password: found.password,
    isOfProgram: found.isOfProgram,
  };
}

/**
 * Connects to the database of a mirror until the command ends. Throws `no-answer`, `profile` and `usage`, and the reason of the
 * signal.
 */
export async function connectToMirror(
  context: Context,
  { address, password }: PostgresPlace,
  signal = context.signal,
): Promise<Postgres> {
  const { connectPostgres } = await import('../../postgres/connect.js');
  const { environment } = context;
  const postgres = await connectPostgres(address, {
    password: async () => (await password(signal)) ?? findPassword(address, environment.variables),
    signal,
  });
  context.onClose(() => postgres.close());
  return postgres;
}
