import { isRecord, type RecordValue, type Value } from '../../plain/value.js';
import { printRecords } from '../../cli/output/open-output.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { tableNamed } from '../../mirror/tables.js';
import type { Hit } from '../../mirror/search/find.js';
import { recordOf } from '../../mirror/read.js';
import type { Database } from '../../sqlite/open.js';
import { checkId, damaged } from './damaged.js';
import { connectionWords } from '../../cli/flags/connection.js';
import type { FindFlags } from './flags.js';

/** Types whose Id is that of a relation. */
const ofRelation: ReadonlySet<string> = new Set(['relation', 'telephone']);

/** The record of a hit as the mirror has it. Throws `bug` when it is not there, and `local` when it is no record. */
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

/** Commands that go on from a record, without the flags of the connection. */
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
export interface ShownIn {
  readonly context: Context;
  readonly flags: FindFlags;
  /** Runs a command of this program, which prints what it prints: its id, and the words behind it. */
  readonly run: (id: string, argv: readonly string[]) => Promise<void>;
}

/**
 * Prints the record of a hit as a card, a relation as the service has it now, any other as the mirror has it; and the commands
 * that go on from it. Throws what the call throws, and `local`.
 */
export async function showRecord({ context, flags, run }: ShownIn, database: Database, hit: Hit): Promise<void> {
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
