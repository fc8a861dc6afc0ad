import { createHash } from 'node:crypto';
import { resultsOf } from '../../writes/batch-files.js';
import { type WrittenRow, writtenRows } from '../../writes/batch/journal.js';
import type { BatchFiles, BatchInput, RowPlan, RowsText } from '../../writes/rows/rows-text.js';
import { mistakesIn } from '../../writes/rows/read-row.js';
import type { PlannedRow, Planning } from '../../writes/rows/planned-rows.js';
import { runRows } from '../../writes/run.js';
import { openSession } from '../../kit/session/session.js';
import { usage } from '../../core/errors/relctl-error.js';
import { takeLock } from '../../state/locks/lock.js';
import type { Context } from '../../kit/host/context.js';
import { note } from '../../kit/host/notes.js';
import type { BatchFacts, LedgerEntry } from '../../state/ledger/ledger.js';
import { valueForMessage } from '../../core/values/value.js';
import { batchOf, cannot, checkService, journalOf, notUndoable, type UndoRows, type UndoWriteFlags } from './open.js';
import { titleOf } from './show.js';

interface UndoContext {
  readonly context: Context;
  readonly flags: UndoWriteFlags;
}

type DoneRow = WrittenRow & Required<Pick<WrittenRow, 'sent'>>;

interface DoneRows {
  readonly count: number;
  /** True where what was there before was read, of some of them. */
  readonly isRead: boolean;
  readonly unknown: number;
  /** SHA-256 of what was sent for them, in hex: what goes on with an undo must undo the same. */
  readonly sha256: string;
  rows(): Generator<DoneRow, void>;
}

const isDone = (row: WrittenRow): row is DoneRow => row.sent !== undefined && row.ending?.outcome === 'done';

const isUnknown = ({ ending }: WrittenRow): boolean => ending === undefined || ending.outcome === 'unknown';

function checkChosen(chosen: readonly number[], done: ReadonlySet<number>): void {
  const other = chosen.find((number) => !done.has(number));
  if (other === undefined) return;
  throw usage('--row', `row ${other} of the batch was not done: nothing to undo`);
}

function doneRows({ id }: BatchFacts, journal: string, numbers: readonly number[] | undefined): DoneRows {
  const chosen = numbers && new Set(numbers);
  const isChosen = ({ row }: WrittenRow): boolean => chosen?.has(row + 1) ?? true;
  // Two batches may have sent the same.
  const sum = createHash('sha256').update(id);
  const seen = new Set<number>();
  let [count, unknown, isRead] = [0, 0, false];
  for (const row of writtenRows(journal)) {
    if (!isChosen(row)) continue;
    if (isUnknown(row)) unknown += 1;
    if (!isDone(row)) continue;
    count += 1;
    isRead ||= row.sent.before !== undefined;
    sum.update(`${JSON.stringify([row.row, row.sent])}\n`);
    if (chosen !== undefined) seen.add(row.row + 1);
  }
  checkChosen(numbers ?? [], seen);
  return {
    count,
    isRead,
    unknown,
    sha256: sum.digest('hex'),
    *rows() {
      for (const row of writtenRows(journal)) if (isChosen(row) && isDone(row)) yield row;
    },
  };
}

const columns = ['row', 'record', 'undone'];

const changeWords = ({ changes }: RowPlan): string =>
  changes.map(({ name, from, to }) => `${name}: ${valueForMessage(from)} -> ${valueForMessage(to)}`).join('; ');

function* plannedRows<S>(done: DoneRows, text: UndoRows<S>, shared: S): Generator<PlannedRow> {
  let row = 0;
  for (const { row: number, sent } of done.rows()) {
    const line = number + 1;
    try {
      const plan = text.back(sent, shared);
      yield { row, line, cells: [String(line), plan.title, changeWords(plan)], plan, mistakes: [] };
    } catch (thrown) {
      const errors = mistakesIn(thrown);
      if (errors === undefined) throw thrown;
      const mistakes = errors.map(({ message }) => ({ line, what: message }));
      yield { row, line, cells: [String(line), titleOf(sent) ?? ''], mistakes };
    }
    row += 1;
  }
}

const idCharacters = 8;

/**
 * The files of an undo: beside the results of the batch, and named by it, because a file may be written and undone more than
 * once; unless --results names another place.
 */
function filesOf({ flags }: UndoContext, { id }: BatchFacts, journal: string): BatchFiles {
  const beside = resultsOf(journal).replace(/(?:\.results)?\.csv$/, '');
  const results = flags.results ?? `${beside}.undo-${id.slice(0, idCharacters)}.csv`;
  return { results, journal: `${results}.journal` };
}

function rowsToUndo(entry: LedgerEntry, journal: string, { flags }: UndoContext): DoneRows {
  const done = doneRows(batchOf(entry, '--row'), journal, flags.row);
  if (done.count > 0 && !done.isRead) throw notUndoable(entry);
  if (done.count > 0) return done;
  const settled = done.unknown === 0 ? '' : `; ${done.unknown} are unknown: settle the batch first`;
  throw cannot(entry, `none of its rows is known to be done${settled}`);
}

const hasBack = <S>(text: RowsText<S>): text is UndoRows<S> => text.back !== undefined;

/**
 * Puts the rows of a batch back, each as it was before, by a batch of its own: with its own journal, results and entry of the
 * ledger. Throws `usage` for a batch without a way back, and for another service; `not-found` without its journal; `locked`
 * while it is written; and what `runRows` throws.
 */
export async function undoBatch<S>(undoContext: UndoContext, entry: LedgerEntry, text: RowsText<S>): Promise<void> {
  const { context } = undoContext;
  if (!hasBack(text)) throw notUndoable(entry);
  // The flags of a batch that an undo does not have are not given.
  const flags = undoContext.flags as unknown as BatchInput['flags'];
  const batch = batchOf(entry, '--row');
  const journal = journalOf(batch);
  const what = { what: 'the batch that is undone is', patienceMs: 0, signal: context.signal };
  context.onClose(await takeLock(`${resultsOf(journal)}.lock`, what));
  const done = rowsToUndo(entry, journal, undoContext);
  context.collectGarbage('calls');
  const session = await openSession(context, flags);
  checkService(entry, session);
  if (done.unknown > 0)
    await note(context, flags, `${done.unknown} rows of the batch are unknown; relctl does not undo them`);
  const shared = await text.open({ context, session, flags });
  const parameters = new Map<string, never>();
  const planning: Planning<S> = {
    input: {
      ...{
        name: `the undo of ${entry.begun.id}`,
        sha256: done.sha256,
        columns,
        said: [],
        point: 'decimal',
        skipped: 0,
      },
      rows: () => [],
      cellName: () => undefined,
      close: () => undefined,
    },
    reading: { columns, targets: [], places: parameters, nullAs: undefined, decimal: 'point', constants: {} },
    text,
    shared,
    undone: () => plannedRows(done, text, shared),
  };
  const files = filesOf(undoContext, batch, journal);
  await runRows({
    context,
    flags,
    args: {},
    places: parameters,
    session,
    text,
    planning,
    files,
    undoes: entry.begun.id,
  });
}
