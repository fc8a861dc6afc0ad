import { statSync } from 'node:fs';
import { join } from 'node:path';
import { connectionFlags, outputFlags, type CommonFlags, mirrorFlags } from '../../kit/flags/common.js';
import { inGroup, option, type Values } from '../../kit/flags/define.js';
import { choiceOption, durationOption } from '../../kit/flags/kinds.js';
import { oldestSync, reportAge, readMirror } from '../../names/mirror/open.js';
import { locateMirror } from '../../names/mirror/location.js';
import { printRecords } from '../../kit/output/open-output.js';
import { inRole, recordWithoutPresence, req } from '../../contract/build.js';
import { int, string } from '../../contract/scalars.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { attempt, makeFolders } from '../../state/own-file.js';
import type { Context } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import { openProgress, type Progress, lockUntilClose } from '../../kit/host/progress.js';
import { folderFormats, publishToFolder } from '../../mirror/publish/folder.js';
import type { PublishedLine } from '../../mirror/publish/postgres.js';
import { publishedTables } from '../../mirror/publish/published-tables.js';
import { serviceIn, type Service } from '../../mirror/open.js';
import { sourcesIn, tablesWith, type SourceState } from '../../mirror/sources.js';
import type { MirrorTable } from '../../mirror/tables.js';
import {
  isPostgresAddress,
  readPostgresAddress,
  readSchema,
  usualSchema,
  findPassword,
} from '../../mirror/postgres/address.js';
import { resolveSecret, secretSource } from '../../profiles/secrets/secret.js';
import type { Database } from '../../state/sqlite/open.js';

/** A reference to a secret as it was given. Throws `usage` for the secret itself, which others could see. */
function referenceOf(text: string, flag: string): string {
  if (secretSource(text) !== 'value') return text;
  throw usage(flag, `${flag} needs a reference to the password, not the password: others can see a command line`, {
    hint: `${flag} file:PATH`,
    advice: 'Use file:PATH, cmd:COMMAND, keyring:ACCOUNT or env:NAME.',
  });
}

/** Flags of `mirror publish`. */
export const publishFlags = {
  profile: connectionFlags.profile,
  ...mirrorFlags,
  ...inGroup('TARGET', {
    format: choiceOption(folderFormats)({ summary: 'Format of the files in a folder; the default is parquet.' }),
    schema: option(readSchema)({
      summary: 'Schema of the database; the default is relctl.',
      helpValue: 'NAME',
    }),
    'password-from': option(referenceOf)({
      summary: 'Reference to the password of the database: file:PATH, cmd:COMMAND, keyring:ACCOUNT, env:NAME.',
      helpValue: 'REFERENCE',
    }),
    'lock-wait': durationOption({
      summary: 'Wait this long for another run that publishes there: 30s, 10m.',
    }),
  }),
  ...outputFlags,
};

type PublishFlags = Values<typeof publishFlags> & CommonFlags;

/** What `mirror publish` prints. */
export const PublishLine = recordWithoutPresence('PublishedTable', 'A published table of the mirror.', {
  Table: inRole('name', req(string, 'Its name.')),
  Rows: req(int, 'Current number of rows.'),
  Sent: req(int, 'Written rows: new and changed ones, and for a folder all.'),
  Gone: req(int, 'Rows removed because the mirror no longer has them.'),
});

interface Read {
  readonly database: Database;
  readonly service: Service;
  readonly sources: readonly SourceState[];
  readonly tables: readonly MirrorTable[];
}

function readFrom(context: Context, flags: PublishFlags): Read {
  const database = readMirror(context, flags);
  // What a sync changes meanwhile is not seen.
  database.execute('BEGIN');
  const sources = sourcesIn(database);
  const filled = new Set(sources.flatMap(({ table, syncedAt }) => (syncedAt === undefined ? [] : [table])));
  const tables = tablesWith(sources).filter(({ name }) => filled.has(name));
  if (tables.length === 0) {
    throw new RelctlError('not-found', 'the mirror has read no list yet', {
      facts: { code: 'mirror' },
      hint: locateMirror(context, flags).sync,
    });
  }
  return { database, service: serviceIn(database), sources, tables };
}

interface Publishing extends Read {
  readonly context: Context;
  readonly flags: PublishFlags;
  readonly progress: Progress;
}

function refuseFlags(flags: PublishFlags, names: readonly ('format' | 'schema' | 'password-from')[], to: string): void {
  const flag = names.find((name) => flags[name] !== undefined);
  if (flag !== undefined) throw usage(`--${flag}`, `--${flag} needs ${to}`);
}

/** Locks a folder until the command ends, and makes it where there is none. Programs that read folders pass over `.` names. */
async function lockFolder(context: Context, folder: string, flags: PublishFlags): Promise<void> {
  const stats = attempt(folder, () => statSync(folder, { throwIfNoEntry: false }));
  if (stats?.isDirectory() === false) {
    throw new RelctlError('local', `${folder} is no folder`, { facts: { foreignCode: 'ENOTDIR', path: folder } });
  }
  attempt(folder, () => makeFolders(folder));
  await lockUntilClose(context, flags, { lock: join(folder, '.relctl.lock'), what: `${folder} is` });
}

async function toFolder(publishing: Publishing, target: string): Promise<readonly PublishedLine[]> {
  const { context, flags, tables, progress, ...read } = publishing;
  refuseFlags(flags, ['schema', 'password-from'], 'postgres://USER@HOST/DATABASE');
  if (target === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(target)) {
    throw usage('TARGET', 'TARGET is a folder, or postgres://USER@HOST/DATABASE', {
      advice: 'For any other target, publish to a folder and copy it.',
    });
  }
  const folder = context.environment.pathOf(target);
  await lockFolder(context, folder, flags);
  return publishToFolder({
    ...read,
    folder,
    format: flags.format ?? 'parquet',
    tables: tables.flatMap(publishedTables),
    signal: context.signal,
    onRows: (count) => progress.page(count),
  });
}

/** Says how many values stand nowhere but in `_record`, because the type of their column does not have them. */
async function reportMisfits({ context, flags }: Publishing, misfits: ReadonlyMap<string, number>): Promise<void> {
  for (const [column, count] of misfits) {
    const values =
      count === 1 ? 'value that does not match its type: it is' : 'values that do not match its type: they are';
    await note(context, flags, `${column} has ${count} ${values} NULL there, and unchanged in _record`);
  }
}

async function toPostgres(publishing: Publishing, target: string): Promise<readonly PublishedLine[]> {
  const { context, flags, progress, service, ...read } = publishing;
  refuseFlags(flags, ['format'], 'a folder');
  const { variables } = context.environment;
  const { signal } = context;
  const address = readPostgresAddress(target, { path: 'TARGET', variables });
  const { 'password-from': passwordFrom, schema = usualSchema } = flags;
  // What PostgreSQL needs is loaded for those alone who publish there.
  const { connectPostgres } = await import('../../mirror/postgres/connect.js');
  const { publishToPostgres } = await import('../../mirror/publish/postgres.js');
  const postgres = await connectPostgres(address, {
    password: () =>
      passwordFrom === undefined
        ? findPassword(address, variables)
        : resolveSecret('--password-from', passwordFrom, { variables, signal }),
    signal,
  });
  context.onClose(() => postgres.close());
  const misfits = new Map<string, number>();
  const lines = await publishToPostgres(
    {
      postgres,
      database: read.database,
      signal,
      onRows: (count) => progress.page(count),
      onMisfit: (column) => misfits.set(column, (misfits.get(column) ?? 0) + 1),
    },
    read,
    { schema, service, lockMs: flags['lock-wait'] ?? 0 },
  );
  await reportMisfits(publishing, misfits);
  return lines;
}

/**
 * Publishes the tables of the mirror that a sync has filled to a folder or to a schema of PostgreSQL, as they are at one
 * moment, and prints what was done with each. Throws `usage`, `profile`, `not-found` when there is no mirror, `no-answer`,
 * `locked`, `local`, and the reason of the signal.
 */
export async function publishMirror(context: Context, target: string, flags: PublishFlags): Promise<void> {
  const read = readFrom(context, flags);
  const progress = openProgress(context, flags);
  const publishing: Publishing = { context, flags, progress, ...read };
  context.collectGarbage();
  const lines = await (isPostgresAddress(target) ? toPostgres : toFolder)(publishing, target);
  read.database.execute('COMMIT');
  await progress.end();
  await printRecords(context, { flags, record: PublishLine, shape: 'list' }, () =>
    lines.map(({ table, rows, sent, gone }) => ({ Table: table, Rows: rows, Sent: sent, Gone: gone })),
  );
  const missing = read.sources.filter(({ syncedAt }) => syncedAt === undefined).map(({ name }) => name);
  if (missing.length > 0) {
    await note(context, flags, `not published, because the mirror has not read it yet: ${missing.join(', ')}`);
  }
  await reportAge(
    context,
    flags,
    oldestSync(
      read.sources,
      read.tables.map(({ name }) => name),
    ),
  );
}
