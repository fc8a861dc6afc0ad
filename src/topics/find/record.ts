import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { printRecords } from '../../kit/output/open-output.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { shellCommand } from '../../core/text/shell/command.js';
import { damaged as damagedMirror, tableNamed } from '../../mirror/tables.js';
import type { Hit } from '../../mirror/search/find.js';
import { recordOf } from '../../mirror/read.js';
import type { Database } from '../../state/sqlite/open.js';
import { connectionWords } from '../../kit/flags/common.js';
import type { FindFlags } from './mirror.js';
import { isGuid } from '../../core/text/scalars/guid.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, guid, string } from '../../contract/scalars.js';
import type { SearchedValue } from '../../mirror/search/match.js';

/** What `find` prints. */
export const FindLine = recordWithoutPresence('Found', 'A record of the mirror that was found.', {
  Type: req(string, 'What it is: relation, relationship, telephone, product, mark and others.'),
  Name: inRole('name', opt(string, 'Its name; of a telephone number the name of the relation.')),
  Column: opt(string, 'Where something was found: the column of the mirror.'),
  Text: inRole('key', opt(string, 'What stands there.')),
  Id: req(guid, 'Id of the record; of a telephone number the Id of the relation.'),
  GoneAt: opt(dateTime, 'When the service had it no longer; with --gone.'),
});

/** Columns of a table; with --gone it says which records are there no longer. */
export const findColumns = (gone: boolean): readonly string[] => [
  ...['Type', 'Name', 'Id', 'Text', 'Column'],
  ...(gone ? ['GoneAt'] : []),
];

/** What matched, of which a name that is shown anyway says least. */
export const matchedValue = ({ name, match: { values } }: Hit): SearchedValue | undefined =>
  values.find(({ text }) => text !== name) ?? values[0];

/** A hit as a record. */
export function lineOf(hit: Hit): RecordValue {
  const { type, id, name, goneAt } = hit;
  const value = matchedValue(hit);
  return {
    Type: type,
    Name: name ?? null,
    Column: value?.column ?? null,
    Text: value?.text ?? null,
    Id: id,
    GoneAt: goneAt ?? null,
  };
}

const damaged = ({ mirror }: Pick<FindFlags, 'mirror'>, what: string): RelctlError =>
  damagedMirror(what).but(mirror === undefined ? { hint: 'relctl mirror remove --all' } : {});

/** Throws `local` for an Id that is no GUID: it would stand in commands that are pasted, and in those of scripts. */
function checkId(flags: Pick<FindFlags, 'mirror'>, table: string, id: string): void {
  if (!isGuid(id)) throw damaged(flags, `an Id in ${table} that is no GUID, '${id.slice(0, 100)}'`);
}

/** The same for all that was found. A telephone number may have no relation. */
export function checkIds(flags: Pick<FindFlags, 'mirror'>, hits: readonly Hit[]): void {
  for (const { table, id, type } of hits) if (id !== '' || type !== 'telephone') checkId(flags, table, id);
}

const ofRelation: ReadonlySet<string> = new Set(['relation', 'telephone']);

function mirroredRecord(database: Database, flags: FindFlags, { table, id }: Hit): RecordValue {
  const json = recordOf(database, tableNamed(table), id);
  if (json === undefined) throw new RelctlError('bug', `the mirror has no record ${id} in ${table}`);
  try {
    const record = JSON.parse(json) as Value;
    if (isRecord(record)) return record;
  } catch {
    // Told below.
  }
  throw damaged(flags, `a record in ${table} that is no JSON`);
}

const idIn = (record: RecordValue, name: string): readonly string[] => {
  const id = record[name];
  return typeof id === 'string' ? [id] : [];
};

function nextOf({ type, id }: Hit, record: RecordValue): readonly (readonly string[])[] {
  if (ofRelation.has(type)) {
    return [
      ['relation', 'activities', id],
      ['relation', 'marks', id],
    ];
  }
  if (type === 'relationship') return idIn(record, 'ChildRelationId').map((child) => ['relation', 'get', child]);
  if (type === 'product') return [['product', 'get', id]];
  if (type === 'activity' || type === 'relation-activity') {
    return [
      ['activity', 'connected', id],
      ['activity', 'involved', id],
    ];
  }
  return [];
}

/** Where a record is shown. */
export interface RecordView {
  readonly context: Context;
  readonly flags: FindFlags;
  /** Runs a command of this program, which prints what it prints: its id, and the words behind it. */
  readonly run: (id: string, argv: readonly string[]) => Promise<void>;
}

/**
 * Prints the record of a hit as a card, a relation as the service has it now, any other as the mirror has it; and the commands
 * that go on from it. Throws what the call throws, and `local`.
 */
export async function showRecord({ context, flags, run }: RecordView, database: Database, hit: Hit): Promise<void> {
  const connection = connectionWords(flags);
  const isLive = ofRelation.has(hit.type);
  checkId(flags, hit.table, hit.id);
  const record = isLive ? {} : mirroredRecord(database, flags, hit);
  const next = nextOf(hit, record);
  for (const [, , id = ''] of next) checkId(flags, hit.table, id);
  if (isLive) await run('relation:get', [hit.id, ...connection]);
  else await printRecords(context, { flags, record: tableNamed(hit.table).record, shape: 'single' }, () => [record]);
  const lines = next.map((words) => `  ${shellCommand([...words, ...connection])}\n`);
  if (lines.length > 0) await context.streams.err.write(`\nNext:\n${lines.join('')}`);
}
