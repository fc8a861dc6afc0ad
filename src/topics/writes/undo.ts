import type { RowsText } from '../../writes/rows/rows-text.js';
import { undoFlags } from '../../writes/flags.js';
import { openSession, type SessionContext } from '../../kit/session/session.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { Operation } from '../../contract/build.js';
import type { Context } from '../../kit/host/context.js';
import type { LedgerEntry } from '../../state/ledger/ledger.js';
import type { RecordValue } from '../../core/values/value.js';
import { runCall } from '../../lists/record/call.js';
import type { WritePlan } from '../../lists/record/call.js';
import {
  cannot,
  changesOf,
  checkService,
  lastWord,
  notUndoable,
  outcomeOf,
  recordSent,
  type UndoWriteFlags,
  writeNamed,
} from './open.js';

interface WayBack {
  readonly operation: Operation;
  /**
   * The write that puts one record back; undefined when nothing is to be sent. Throws `conflict`, and what calls throw. Absent
   * where a single write never reads what was there before.
   */
  readonly plan?: (
    sessionContext: SessionContext<UndoWriteFlags>,
    undo: ReturnType<typeof recordUndo>,
  ) => Promise<WritePlan<Operation> | undefined>;
  /** Loads how the command writes rows, and passes that to `undo`, which restores the rows of a batch. */
  readonly withRows: (undo: <S>(text: RowsText<S>) => Promise<void>) => Promise<void>;
}

/** A way back, by the rows of a batch that writes the operation. */
export const wayBack = <S>({
  rows,
  ...way
}: Omit<WayBack, 'withRows'> & { readonly rows: () => Promise<RowsText<S>> }): WayBack => ({
  ...way,
  withRows: async (undo) => undo(await rows()),
});

interface UndoInput {
  readonly context: Context;
  readonly args: { readonly id: string };
  readonly flags: UndoWriteFlags;
}

/**
 * The write to undo. Where the last one is an undo itself, the word `last` is the write that it undoes if that undo is gone on
 * with or begun anew. Throws `usage` otherwise: a script that undoes twice would write again what it undid.
 */
function writeToUndo({ context, args: { id }, flags }: UndoInput): LedgerEntry {
  const entry = writeNamed(context, id, flags);
  const { id: last, undoes } = entry.begun;
  if (id !== lastWord || undoes === undefined) return entry;
  if (flags.resume || flags.settle || flags.restart) return writeNamed(context, undoes, flags);
  throw usage('ID', `the last write, ${last}, is an undo itself, of ${undoes}: use its id to undo it`, {
    hint: 'relctl writes list',
  });
}

function checkSingle({ flags }: UndoInput, { begun: start }: LedgerEntry): void {
  const values: Readonly<Record<string, unknown>> = flags;
  const name = Object.keys({ ...undoFlags, workflow: undefined }).find(
    (each) => values[each] !== undefined && values[each] !== false,
  );
  if (name === undefined) return;
  throw usage(`--${name}`, `--${name} is for a batch, but ${start.id} is a single write`);
}

function recordUndo(entry: LedgerEntry) {
  const { begun: start } = entry;
  const outcome = outcomeOf(entry);
  if (outcome !== 'done' && outcome !== 'unknown') throw cannot(entry, `it was not done (${outcome})`);
  const { sends } = start;
  const record = sends?.before?.['Id'];
  if (sends === undefined || typeof record !== 'string') throw notUndoable(entry);
  const changed = changesOf(sends);
  const after = recordSent(sends).record;
  return {
    undoes: start.id,
    record,
    // The values before, of the members that the write changed; null for what was empty.
    changes: Object.fromEntries(changed.map(({ name, from }) => [name, from ?? null])),
    // Those that the write left: only then is it put back.
    after: Object.fromEntries(changed.map(({ name }) => [name, after[name] ?? null])),
  };
}

async function undoRecord(undoInput: UndoInput, entry: LedgerEntry, way: WayBack | undefined): Promise<void> {
  const { context, flags } = undoInput;
  checkSingle(undoInput, entry);
  if (way?.plan === undefined) throw notUndoable(entry);
  const undo = recordUndo(entry);
  const session = await openSession(context, flags);
  checkService(entry, session);
  const sessionContext = { context, session, flags };
  const plan = await way.plan(sessionContext, undo);
  if (plan === undefined) return;
  const input = plan.input as RecordValue;
  await runCall(sessionContext, { operation: way.operation, input, write: plan });
}

/**
 * Puts back what a write, or the rows of a batch, changed, where it still is as the write left it. Throws `not-found`; `usage` for
 * what has no way back, or was written to another service; `conflict` where somebody changed it since; and what writes throw.
 * @param undoTypes the ways back there are
 */
export async function undoWrite(undoInput: UndoInput, undoTypes: readonly WayBack[]): Promise<void> {
  const { flags } = undoInput;
  const entry = writeToUndo(undoInput);
  const { operation, batch } = entry.begun;
  const way = undoTypes.find((each) => each.operation.name === operation);
  if (batch === undefined) return undoRecord(undoInput, entry, way);
  if (way === undefined) throw notUndoable(entry);
  // What writes batches is loaded for them alone.
  const { undoBatch } = await import('./undo-batch.js');
  await way.withRows((text) => {
    if (flags.workflow !== undefined && text.fields === undefined)
      throw usage('--workflow', `--workflow is for fields, and ${operation} has none`);
    return undoBatch(undoInput, entry, text);
  });
}
