import { statSync } from 'node:fs';
import type { OutputFlags } from '../../kit/flags/common.js';
import { printRecords } from '../../kit/output/open-output.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, int, string } from '../../contract/scalars.js';
import type { Context } from '../../kit/host/context.js';
import { noteInTerminal } from '../../kit/host/notes.js';
import { ageOf, readMirror } from '../../names/mirror/open.js';
import { seconds } from '../../kit/host/progress.js';
import { serviceIn } from '../../mirror/open.js';
import { sourcesIn, tableOf, type SourceState } from '../../mirror/sources.js';
import type { RecordValue } from '../../core/values/value.js';
import { locateMirror, type LocationFlags } from '../../names/mirror/location.js';

/** What `mirror status` prints. */
export const StatusLine = recordWithoutPresence('MirrorSource', 'A source of the mirror: a list that fills a table.', {
  Source: inRole('name', req(string, 'Name of the source.')),
  Table: req(string, 'The table that it fills.'),
  Holds: inRole('words', req(string, 'What a row is.')),
  Rows: opt(int, 'Current number of rows; absent before the first sync.'),
  SyncedAt: opt(dateTime, 'End of the last complete sync.'),
  Age: opt(string, 'Time since then.'),
  Added: opt(int, 'Rows that it added.'),
  Changed: opt(int, 'Rows that it changed.'),
  Gone: opt(int, 'Rows that it marked as gone.'),
  Unfinished: opt(string, 'Progress of an interrupted or running sync, from which the next one resumes.'),
  Operation: req(string, 'The operation of the service that lists them.'),
  Request: opt(string, 'Parameters of the calls besides the page, as JSON.'),
});

function ageText(context: Context, syncedAt: string): string {
  const ms = ageOf(context, syncedAt);
  return ms === undefined ? 'none: the clock was ahead' : seconds(ms);
}

const neverSynced: RecordValue = { Rows: null, Added: null, Changed: null, Gone: null };

function lineOf(context: Context, source: SourceState): RecordValue {
  const { name, table, input, syncedAt, last, unfinished } = source;
  const { holds, operation } = tableOf(source);
  return {
    Source: name,
    Table: table,
    Holds: holds,
    ...(last === undefined ? neverSynced : { Rows: last.rows }),
    SyncedAt: syncedAt ?? null,
    Age: syncedAt === undefined ? null : ageText(context, syncedAt),
    ...(last === undefined ? {} : { Added: last.added, Changed: last.changed, Gone: last.gone }),
    Unfinished:
      unfinished === undefined
        ? null
        : `${unfinished.rows} rows, ${unfinished.pages} pages, since ${unfinished.startedAt}`,
    Operation: operation.name,
    Request: JSON.stringify(input),
  };
}

/** What is not in the file yet is in the log beside it. */
const bytesOf = (file: string): number =>
  statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0);

/** Prints a line for each source of the mirror. Throws `not-found` when there is none, `local` and `profile`. */
export async function showStatus(context: Context, flags: LocationFlags & OutputFlags): Promise<void> {
  const location = locateMirror(context, flags);
  const database = readMirror(context, flags);
  const table = ['Source', 'Table', 'Rows', 'Age', 'Added', 'Changed', 'Gone', 'Unfinished'];
  await printRecords(context, { flags, record: StatusLine, shape: 'list', table }, () =>
    sourcesIn(database).map((source) => lineOf(context, source)),
  );
  await noteInTerminal(
    context,
    flags,
    `${location.file}, ${Math.ceil(bytesOf(location.file) / 2 ** 20)} MiB, of ${serviceIn(database).url}`,
  );
}
