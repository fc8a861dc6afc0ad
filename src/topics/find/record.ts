import type { RecordValue } from '../../plain/value.js';
import { printRecords } from '../../cli/output/open-output.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { shellCommand } from '../../lexical/shell.js';
import { tableNamed } from '../../mirror/tables.js';
import type { Hit } from '../../mirror/search/find.js';
import type { Database } from '../../sqlite/open.js';
import { connectionWords, type FindFlags } from './flags.js';

/** Types whose Id is that of a relation. */
const ofRelation: ReadonlySet<string> = new Set(['relation', 'telephone']);

/** The record of a hit as the mirror has it. Throws `bug` when it is not there. */
function recordOf(database: Database, { table, id }: Hit): RecordValue {
  const { name, idColumn } = tableNamed(table);
  const sql = `SELECT "_record" FROM "all_${name}" WHERE "${idColumn}" = ? ORDER BY "_gone_at" IS NOT NULL, "_seq" LIMIT 1`;
  const [json] = database.statement(sql).first(id) ?? [];
  if (typeof json !== 'string') throw new RelctlError('bug', `the mirror has no record ${id} in ${name}`);
  return JSON.parse(json) as RecordValue;
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
  const record = isLive ? {} : recordOf(database, hit);
  if (isLive) await run('relation:get', [hit.id, ...connection]);
  else await printRecords(context, { flags, record: tableNamed(hit.table).record, shape: 'single' }, () => [record]);
  const next = nextOf(hit, record).map((words) => `  ${shellCommand([...words, ...connection])}\n`);
  if (next.length > 0) await context.streams.err.write(`\nNext:\n${next.join('')}`);
}
