import { headIn } from '../../batches/journal.js';
import { outcomes, type Tally } from '../../batches/outcome.js';
import { statesIn } from '../../batches/states.js';
import { defined } from '../../plain/defined.js';
import { beginEntry } from '../../records/recorded.js';
import type { BulkRun } from '../given.js';

/** The outcome that all rows have that needed a write, `unchanged` where none did; `partly` where there are several. */
function commonOutcome(tally: Tally): (typeof outcomes)[number] | 'partly' {
  const [first = 'unchanged', second] = outcomes.filter((outcome) => outcome !== 'unchanged' && tally[outcome] > 0);
  return second === undefined ? first : 'partly';
}

/** How many rows there are of each outcome; undefined for a journal that cannot be read: the summary, which reads it too, says so. */
function tallyIn(journal: string, rows: number): Tally | undefined {
  try {
    return statesIn(journal).tally(rows);
  } catch {
    return undefined;
  }
}

/** Tells the ledger how a batch ended. Never throws: what cannot be told is a note, or left open, as after a kill. */
export type EndOfEntry = () => Promise<void>;

/**
 * Tells the ledger of a batch that is about to be sent, with its journal, which tells of each row. Gives what tells it how the
 * batch ended; undefined where no ledger is kept. Throws `local` when it cannot be written: then nothing is sent.
 * @param rows how many rows the input has
 */
export async function beginBatch<S>(run: BulkRun<S>, rows: number): Promise<EndOfEntry | undefined> {
  const { context, files, planning, text, undoes } = run;
  const { pathOf } = context.environment;
  const [journal, results] = [pathOf(files.journal), pathOf(files.results)];
  // The journal may be put aside for another batch: it is known again by the id of this one.
  const batch = { id: headIn(journal)?.batch ?? '', journal, results, rows };
  const does = text.does === 'add' ? 'add records' : 'change records';
  const what = `${does} by ${planning.input.name}`;
  const entry = await beginEntry(run, { what, operation: text.operation.name, batch, ...defined({ undoes }) });
  if (entry === undefined) return undefined;
  return async () => {
    const tally = tallyIn(files.journal, rows);
    if (tally !== undefined) await entry.ends({ outcome: commonOutcome(tally), tally });
  };
}
