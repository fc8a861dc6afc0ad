import { isWatched } from '../../formats/streams.js';
import { createHash } from 'node:crypto';
import { answeredBy } from '../../writes/rows/rows-text.js';
import { consent, reportDone } from '../../kit/consent.js';
import type { CommonFlags, OutputFlags, WriteFlags } from '../../kit/flags/common.js';

import { withNilMarked, withoutFilled } from '../../lists/plan.js';
import { openOutput } from '../../kit/output/open-output.js';
import type { RecordOutput } from '../../kit/output/record-output.js';
import type { SessionContext } from '../../kit/session/session.js';
import type { CallOptions, Reply } from '../../client/call.js';
import { recordWithoutPresence, type Operation } from '../../contract/build.js';
import { fullResult, listOf } from '../../contract/walk.js';
import type { Context } from '../../kit/host/context.js';
import { notesOfPrinted, warnOfNotes } from '../../kit/host/notes.js';
import { escapeLayout } from '../../formats/escape.js';
import type { FormatName } from '../../formats/writers/index.js';
import { defined, type RecordValue, type Value } from '../../core/values/value.js';
import { checkMade, printResult } from '../../lists/record/call.js';
import { writing } from '../../lists/record/writing.js';
import type { Written } from '../../soap/wire/request.js';

type SendContext = SessionContext<CommonFlags & WriteFlags & { readonly 'raw-output': boolean }>;

interface ReadyCall {
  readonly call: { readonly operation: Operation; readonly input: RecordValue; readonly written?: Written };
  /** It is of the contract. */
  readonly isKnown: boolean;
  /** Its XML was given. */
  readonly isRaw: boolean;
  readonly format: FormatName;
}

/** A longer text of a call that no contract describes may be the content of a file, which no ledger keeps. */
const mostNamed = 1000;

const shortened = (value: Value): Value =>
  typeof value === 'string' && value.length > mostNamed ? `[text of ${value.length} characters]` : value;

/** What the ledger keeps in the place of the input: XML may hold credentials, and contents of files. */
function ledgerRecord({ call: { input, written }, isKnown, isRaw }: ReadyCall): RecordValue {
  if (isRaw) {
    const bytes = Buffer.from(written?.xml ?? '');
    return { XML: `[${bytes.length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}]` };
  }
  return isKnown ? input : Object.fromEntries(Object.entries(input).map(([name, value]) => [name, shortened(value)]));
}

function openResult(
  { context, session, flags }: SendContext,
  { call, format, isRaw }: ReadyCall,
): Promise<RecordOutput> {
  // What XML asks for is not known: it may be anything.
  const input = isRaw
    ? Object.fromEntries(Object.keys(call.operation.parameters).map((name) => [name, true]))
    : call.input;
  const operation = withNilMarked({ input, operation: withoutFilled(call.operation, session) });
  const result = recordWithoutPresence(`${operation.name}Result`, operation.doc, fullResult(operation));
  const record = operation.wire?.isOpen === true ? { ...result, isOpen: true as const } : result;
  // What says how rows of a file are read; other commands have flags of the same names for what is written.
  const reading = ['delimiter', 'decimal', 'null-as'];
  const own = Object.fromEntries(Object.entries(flags).filter(([name]) => !reading.includes(name)));
  return openOutput(context, session, {
    flags: { ...(own as unknown as OutputFlags), output: format },
    record,
    shape: 'single',
  });
}

interface Printing {
  /** Takes the bytes of the answer as they come; only where they are what is printed. */
  readonly tee?: (chunk: Uint8Array) => void;
  readonly print: (reply: Reply) => Promise<void>;
  readonly failed: () => Promise<void>;
}

function rawPrinting({ streams: { out } }: Context): Printing {
  const chunks: Uint8Array[] = [];
  const print = async (): Promise<void> => {
    if (isWatched(out)) await out.write(escapeLayout(Buffer.concat(chunks).toString()));
    else for (const chunk of chunks) await out.writeBytes(chunk);
  };
  return {
    tee: (chunk) => void chunks.push(chunk),
    print,
    // The failure of the call says more than that of the output.
    failed: () => print().catch(() => undefined),
  };
}

async function resultPrinting(sendContext: SendContext, ready: ReadyCall): Promise<Printing> {
  const output = await openResult(sendContext, ready);
  return {
    async print({ envelope, result }) {
      await output.write([{ ...envelope, ...result }]);
      await output.finish();
    },
    failed: () => Promise.resolve(),
  };
}

function discardRows({ access, result }: Operation): CallOptions['rows'] {
  const [member] = Object.entries(result).find(([, { type }]) => listOf(type) !== undefined) ?? [];
  // What a write gives may be the Id of the added record.
  return member === undefined || access !== 'read' ? undefined : () => ({ path: [member], of: () => null });
}

async function answerTo(
  { context, session, flags }: SendContext,
  ready: ReadyCall,
  { tee, failed }: Printing,
): Promise<Reply> {
  const { call, isKnown } = ready;
  const { operation, input } = call;
  const what = `call ${operation.name}`;
  const idOf = ({ result }: Reply): string | undefined => answeredBy(operation, result).id;
  const ledger = { session, flags, what, idOf, keeps: ledgerRecord(ready) };
  try {
    return await writing({ context, ledger }, call, async () => {
      // What is printed as it came is no list of rows: only its bytes are kept to the end.
      const rows = tee && discardRows(operation);
      const options = { ...defined({ written: call.written, tee, rows }), isWhole: tee === undefined };
      const answer = await session.client.callUntyped(operation, input, options);
      if (isKnown) checkMade(answer, { operation, input, what }, session.profile.name);
      return answer;
    });
  } catch (thrown) {
    await failed();
    throw thrown;
  }
}

/** Sends a call once and prints its result, or with --raw-output the answer as it came. Throws what those throw. */
export async function sendOnce(sending: SendContext, ready: ReadyCall): Promise<void> {
  const { context, session, flags } = sending;
  const { operation } = ready.call;
  const what = `call ${operation.name}`;
  const isWrite = operation.access !== 'read';
  const isRaw = flags['raw-output'];
  const printing = isRaw ? rawPrinting(context) : await resultPrinting(sending, ready);
  context.collectGarbage();
  if (isWrite) await consent(context, session, { flags, what, isUndoable: false });
  const reply = await answerTo(sending, ready, printing);
  const print = (): Promise<void> => printing.print(reply);
  await (isWrite ? printResult({ operation, what }, print) : print());
  if (isRaw) return;
  // Messages of the envelope are printed with it. For an operation outside the contract every member is unknown.
  const notes = notesOfPrinted(reply.notes, undefined).filter(({ kind }) => kind !== 'message');
  if (ready.isKnown) await warnOfNotes(context, flags, notes);
  if (isWrite) await reportDone(context, session, { flags, what });
}
