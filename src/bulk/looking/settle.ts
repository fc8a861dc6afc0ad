import type { Sent } from '../../batches/entry.js';
import { continueJournal, entriesOf, type KeptJournal } from '../../batches/journal.js';
import type { Ending } from '../../batches/outcome.js';
import type { RowStates } from '../../batches/row-states.js';
import { defined } from '../../plain/defined.js';
import type { RecordValue } from '../../plain/value.js';
import type { PlannedRow } from '../planned-rows.js';
import type { Looking, Seen } from '../rows-text.js';

/** How an unknown row ended, by what is there now. */
function settled(seen: Seen): Ending {
  switch (seen.is) {
    case 'as-sent':
      return { outcome: 'done', code: 'settled', words: 'no answer came; it was read back as it was sent' };
    case 'as-before':
      return { outcome: 'failed', code: 'settled', words: 'no answer came; it was read back as it was before' };
    case 'other':
      return { outcome: 'conflict', code: 'settled', words: `no answer came, and ${seen.words}` };
    case 'unclear':
      return { outcome: 'unknown', code: 'settled', words: `no answer came, and ${seen.words}` };
  }
}

/** What was sent last for each row of a journal that is unknown. */
function unknownRows(file: string, states: RowStates): ReadonlyMap<number, Sent> {
  const sent = new Map<number, Sent>();
  for (const { entry } of entriesOf(file))
    if ('sends' in entry && states.of(entry.row) === 'unknown') sent.set(entry.row, entry.sends);
  return sent;
}

/** How the records of rows are found, where their entries do not say it. Throws what reading the rows throws. */
async function searches<S>(
  { looking, rows }: Settling<S>,
  unknown: ReadonlyMap<number, Sent>,
): Promise<ReadonlyMap<number, RecordValue>> {
  const found = new Map<number, RecordValue>();
  const isSaid = [...unknown.values()].every(({ foundBy }) => foundBy !== undefined);
  if (isSaid || looking.readMs !== undefined) return found;
  for await (const { row, plan } of rows)
    if (plan?.foundBy !== undefined && unknown.has(row)) found.set(row, plan.foundBy);
  return found;
}

/** How unknown rows are looked at. */
interface Settling<S> {
  readonly looking: Looking<S>;
  readonly shared: S;
  /** How the rows stand by the journal. */
  readonly states: RowStates;
  /** The rows, read anew: how a record is found may be said now that was not when the row was sent. */
  readonly rows: AsyncIterable<Pick<PlannedRow, 'row' | 'plan'>>;
  readonly date: () => string;
  readonly signal: AbortSignal;
  /** Gives what is called for each row that was looked at, by how many there are. */
  readonly onRow: (count: number) => () => void;
}

/** How many rows were unknown, and how many of them still are. */
export interface Settled {
  readonly looked: number;
  readonly unclear: number;
}

/**
 * Finds out what became of the unknown rows of an earlier run, by reading their records now, and tells the journal of each as
 * soon as it is known. Throws what calls and the journal throw, and the reason of the signal.
 */
export async function settleRows<S>(kept: KeptJournal, settling: Settling<S>): Promise<Settled> {
  const { looking, shared, states, date, signal, onRow } = settling;
  const rows = unknownRows(kept.file, states);
  const found = await searches(settling, rows);
  if (rows.size > 0) await looking.refresh(shared);
  const looked = onRow(rows.size);
  let unclear = 0;
  const journal = continueJournal(kept, states);
  try {
    for (const [row, sent] of rows) {
      signal.throwIfAborted();
      const seen = await looking.at({ ...defined({ foundBy: found.get(row) }), ...sent }, shared);
      if (seen === undefined || seen.is === 'unclear') unclear += 1;
      if (seen !== undefined) journal.append({ row, at: date(), ...defined({ key: sent.key }), ends: settled(seen) });
      looked();
    }
  } finally {
    await journal.close();
  }
  return { looked: rows.size, unclear };
}
