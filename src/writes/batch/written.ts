import type { Entry, Sent, Ending } from '../../state/ledger/outcome.js';
import { entriesOf, openLastEntries } from './journal.js';
import { RowStates } from './row-states.js';

/** A row of a journal. */
export interface WrittenRow {
  /** Its number, from 0. */
  readonly row: number;
  /** When something was last told of it, as ISO text. */
  readonly at: string;
  /** What was sent last for it; absent for a row for which nothing was sent. */
  readonly sent?: Sent;
  /** How it ended; absent where no answer was kept. */
  readonly ending?: Ending;
}

function rowOf(row: number, last: Entry, sent: Entry | undefined): WrittenRow {
  return {
    row,
    at: last.at,
    ...(sent !== undefined && 'sends' in sent ? { sent: sent.sends } : {}),
    ...('ends' in last ? { ending: last.ends } : {}),
  };
}

/** The rows of which a journal tells, by their numbers. Throws `local`. */
export function* writtenRows(file: string): Generator<WrittenRow, void> {
  const [states, sends] = [new RowStates(), new RowStates()];
  let count = 0;
  for (const placed of entriesOf(file)) {
    states.take(placed);
    if ('sends' in placed.entry) sends.take(placed);
    count = Math.max(count, placed.entry.row + 1);
  }
  const [last, sent] = [openLastEntries(file, states), openLastEntries(file, sends)];
  try {
    for (let row = 0; row < count; row += 1) {
      const entry = last.of(row);
      if (entry !== undefined) yield rowOf(row, entry, sent.of(row));
    }
  } finally {
    last.close();
    sent.close();
  }
}
