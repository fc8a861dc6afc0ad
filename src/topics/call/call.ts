import { isWatched } from '../../formats/streams.js';
import type { Config } from '@oclif/core';
import { defined, type RecordValue, type Value } from '../../core/values/value.js';
import { type FormatName, formats } from '../../formats/writers/index.js';
import { freeContent, kindOfXml } from '../../soap/values/free-form.js';
import type { Written } from '../../soap/wire/request.js';
import type { Context } from '../../kit/host/context.js';
import { printEnvelope } from '../../kit/calls/envelope.js';
import { refuseWith } from '../../kit/flags/define.js';
import { note, notesOfPrinted, warnOfNotes } from '../../kit/host/notes.js';
import { chosenFormat } from '../../kit/output/output-choice.js';
import { openSession, type SessionContext } from '../../kit/session/session.js';
import { bulkFlags, checkUnasked, outputFlagsOf } from '../../writes/flags.js';
import { type Operation, recordWithoutPresence } from '../../contract/build.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { checkDryRunFlags, printDryRun } from '../../lists/record/dry-run.js';
import {
  checkInput,
  fromFile,
  inputText,
  parametersIn,
  showingParameters,
  withParams,
} from '../../kit/operations/input.js';
import { type FreeCallFlags, refuseOfLists } from './flags.js';
import { operationNamed } from '../../kit/operations/described.js';
import { createHash } from 'node:crypto';
import { answeredBy } from '../../writes/rows/rows-text.js';
import { consent, reportDone } from '../../kit/consent.js';
import { withNilMarked, withoutFilled } from '../../lists/plan.js';
import { openOutput } from '../../kit/output/open-output.js';
import type { RecordOutput } from '../../kit/output/record-output.js';
import type { CallOptions, Reply } from '../../client/call.js';
import { fullResult, listOf } from '../../contract/walk.js';
import { escapeLayout } from '../../formats/escape.js';
import { checkMade, printResult } from '../../lists/record/call.js';
import { writing } from '../../lists/record/writing.js';

async function readInput(
  context: Context,
  { input: file, param }: FreeCallFlags,
): Promise<{ readonly json?: string; readonly xml?: Written }> {
  if (file === undefined) return {};
  const text = await inputText(context, file);
  if (!/^\ufeff?\s*</.test(text)) return { json: text };
  refuseWith('--input with XML', { '--param': param });
  const xml = text.replace(/^\ufeff/, '');
  return { xml: { kind: kindOfXml(xml), xml } };
}

/** JSON unless something else is asked for. Throws `usage`, before anything is called. */
function formatFor(flags: FreeCallFlags, isKnown: boolean): FormatName {
  const format = chosenFormat(flags) ?? 'json';
  if (!isKnown && formats[format].layout !== 'tree') {
    throw usage('--output', `an answer without a description has no columns for ${format}`, '-o json');
  }
  return format;
}

interface CallInput {
  readonly context: Context;
  readonly config: Config;
  readonly args: { readonly operation: string };
  readonly flags: FreeCallFlags;
}

async function callForRows({ context, config, args, flags }: CallInput): Promise<void> {
  refuseWith('--file', { '--raw-output': flags['raw-output'] });
  if (flags.input === '-' && flags.file === '-') throw usage('--input', '--input - and --file - both read stdin');
  const named = operationNamed(context, args.operation, flags);
  const { operation } = named;
  const [{ runBulk }, { callRows, checkWrites }] = await Promise.all([
    import('../../writes/run.js'),
    import('./rows.js'),
  ]);
  checkWrites(named, config);
  const base = withParams(await fromFile(context, flags.input, operation), flags.param, named);
  // What stands for all rows is a part of what the batch is: --resume compares it.
  const places = new Map([['param', { name: 'param' }]]);
  await runBulk({ context, args: { param: base }, flags, places }, callRows(operation, base));
}

function checkDryRun({ name, access }: Operation, written: Written | undefined): void {
  const what = access === 'read' ? `${name} reads, and changes nothing` : 'XML is sent as it is';
  if (access !== 'read' && written === undefined) return;
  throw usage('--dry-run', `${what}: --envelope shows the request`, perhaps('--dry-run', '--envelope'));
}

async function callOnce(callInput: CallInput): Promise<void> {
  const { context, flags } = callInput;
  const name = callInput.args.operation;
  const { json, xml } = await readInput(context, flags);
  const isWhole = xml?.kind === 'envelope';
  const named = operationNamed(context, name, { ...flags, isWhole });
  const { operation, isKnown, near } = named;
  if (near !== undefined)
    await note(context, flags, `${name} is not in the contract, and relctl sends it unchanged; did you mean ${near}?`);
  const read = json === undefined ? {} : parametersIn(json, flags.input ?? '', operation.parameters);
  const input = withParams(read, flags.param, named);
  const instead = xml ?? (isKnown ? undefined : ({ kind: 'elements', xml: freeContent(input) } as const));
  if (instead === undefined) checkInput(operation, input);
  if (flags['dry-run']) checkDryRun(operation, instead);
  const format = flags['dry-run'] ? 'json' : formatFor(flags, isKnown);
  const session = await openSession(context, flags, operation);
  const call = { operation, input, ...defined({ written: instead }) };
  await showingParameters(operation, async () => {
    if (flags.envelope) return printEnvelope({ context, session, flags }, call);
    if (flags['dry-run']) return printDryRun({ context, session, flags }, { input, what: `call ${operation.name}` });
    return sendOnce({ context, session, flags }, { call, isKnown, format, isRaw: xml !== undefined });
  });
}

/** Calls any operation: prints its result, with --list a list page by page, with --file for each row. Throws what those throw. */
export async function callOperation(input: CallInput): Promise<void> {
  const { flags } = input;
  checkDryRunFlags(flags);
  const { list } = flags;
  if (list !== undefined) {
    const { readOperationList, openRowsFlags } = await import('./list.js');
    const ofRows = openRowsFlags({ ...input, flags: { ...flags, list } });
    return ofRows === undefined
      ? readOperationList({ ...input, flags: { ...flags, list } })
      : callOnce({ ...input, flags: ofRows });
  }
  refuseOfLists(flags);
  if (flags.file !== undefined) return callForRows(input);
  checkUnasked({ flags: bulkFlags, asked: ['file'] }, flags);
  return callOnce(input);
}

type SendContext = SessionContext<FreeCallFlags>;

interface ReadyCall {
  readonly call: { readonly operation: Operation; readonly input: RecordValue; readonly written?: Written };
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
  return openOutput(context, session, {
    flags: { ...outputFlagsOf(flags), output: format },
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
      if (isKnown) checkMade(answer, { operation, what }, session.profile.name);
      return answer;
    });
  } catch (thrown) {
    await failed();
    throw thrown;
  }
}

/** Sends a call once and prints its result, or with --raw-output the answer as it came. Throws what those throw. */
async function sendOnce(sending: SendContext, ready: ReadyCall): Promise<void> {
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
  await (isWrite ? printResult(what, print) : print());
  if (isRaw) return;
  // Messages of the envelope are printed with it. For an operation outside the contract every member is unknown.
  const notes = notesOfPrinted(reply.notes, undefined).filter(({ kind }) => kind !== 'message');
  if (ready.isKnown) await warnOfNotes(context, flags, notes);
  if (isWrite) await reportDone(context, session, { flags, what });
}
