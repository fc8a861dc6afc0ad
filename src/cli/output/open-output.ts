import type { RecordValue } from '../../plain/value.js';
import { typeWith } from '../../contract/widen.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import type { Collector } from '../../query/questions.js';
import type { Session } from '../session/session.js';
import { askingOf, checkAnswerFlags, type Asking, type AskingPlace } from './questions.js';
import {
  openPlainOutput,
  refuseBytesOnTerminal,
  formatFor,
  type OutputRequest,
  type RecordOutput,
} from './record-output.js';

/** The note about sorted records that --limit cut. */
export const moreSorted = 'stopped at --limit: more were sorted';

/** An output of which nothing is printed before all records have come. */
async function openCollected(
  place: AskingPlace & { readonly request: OutputRequest },
  collector: Collector,
): Promise<RecordOutput> {
  const { context, session, request } = place;
  context.onClose(() => collector.close());
  const format = formatFor(context, session, request);
  checkAnswerFlags(request.flags, format);
  refuseBytesOnTerminal(context, request.flags, format);
  const { query, count } = request.flags;
  const isSorted = query === undefined && !count;
  const sorted = isSorted ? await openPlainOutput(context, session, request) : undefined;
  // Loaded now, because the program may be replaced while the records come.
  const { printOutcome } = await import('./asked-output.js');
  return {
    write(records) {
      collector.add(records);
      return Promise.resolve();
    },
    async finish() {
      await printOutcome(place, collector, sorted);
      if (collector.isCut) await note(context, request.flags, moreSorted);
    },
  };
}

const filtered = (output: RecordOutput, { keeps }: Asking): RecordOutput => ({
  write: (records) => output.write(records.filter((record) => keeps(record))),
  finish: () => output.finish(),
});

/** Opens the output of a command with what --where, --sort, --query and --count ask. Throws `usage` and `local`. */
export async function openOutput(
  context: Context,
  session: Session | undefined,
  given: OutputRequest,
): Promise<RecordOutput> {
  const allowed = session?.connection.allowedValues;
  const request = allowed === undefined ? given : { ...given, record: typeWith(given.record, allowed) };
  const asking = await askingOf({ context, session }, request);
  if (asking === undefined) return openPlainOutput(context, session, request);
  const { collector } = asking;
  const output =
    collector === undefined
      ? await openPlainOutput(context, session, request)
      : await openCollected({ context, session, request }, collector);
  return filtered(output, asking);
}

/** Prints records; nothing is made when the output cannot be opened. Throws `usage`, `local` and what making throws. */
export async function printRecords(
  context: Context,
  request: OutputRequest & { readonly session?: Session },
  make: () => readonly RecordValue[] | Promise<readonly RecordValue[]>,
): Promise<void> {
  const output = await openOutput(context, request.session, request);
  await output.write(await make());
  await output.finish();
}
