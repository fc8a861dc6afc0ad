import { writeCallFlags } from '../../cli/flags/shared.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { inputFileOption, pairOption } from '../../cli/flags/kinds.js';
import { switchFlag, type Values } from '../../cli/flags/define.js';
import { isRecord, type RecordValue, type Value } from '../../plain/value.js';
import { readFileSync } from 'node:fs';
import { operation as makeOperation, type Operation } from '../../contract/build.js';
import { recordWithoutPresence } from '../../contract/build.js';
import { findOperation, operations } from '../../contract/service.js';
import { fullResult } from '../../contract/walk.js';
import { unreadableInput } from '../../files/failure.js';
import { type FormatName, formats } from '../../output/formats/index.js';
import { inAnyCase, nearest } from '../../lexical/nearest.js';
import { freeContent, kindOfXml } from '../../soap/values/free-form.js';
import type { Written } from '../../soap/wire/request.js';
import { consent, tellDone } from '../../cli/consent.js';
import type { Context } from '../../host/context.js';
import { printEnvelope } from '../../cli/dry-run.js';
import { readStdin } from '../../host/environment.js';
import { membersInServiceForm, valueOfType } from '../../cli/flags/by-type.js';
import { refuseWith } from '../../cli/legacy.js';
import { note, notesOfPrinted, warnOfNotes } from '../../host/notes.js';
import { chosenFormat } from '../../cli/output/output-choice.js';
import { openOutput } from '../../cli/output/open-output.js';
import { type RecordOutput } from '../../cli/output/record-output.js';
import { checkMade } from '../../records/call.js';
import { openSession, type Session } from '../../cli/session.js';
import { writing } from '../../records/writing.js';
import { defined } from '../../plain/defined.js';
import { perhaps, usage } from '../../errors/usage.js';

/** Flags of `call`. */
export const callFlags = {
  param: pairOption({
    offers: 'parameters',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'A parameter; a record or a list as JSON. May be repeated.',
  }),
  input: inputFileOption({ summary: 'Parameters as one JSON object; - reads stdin.' }),
  raw: inputFileOption({
    summary: 'XML of the parameters, or of a whole envelope that goes out as it is; - reads stdin.',
  }),
  'raw-output': switchFlag({ summary: 'Print the answer as it came.' }),
  read: switchFlag({ summary: 'Call an operation that is not in the contract, which only reads.' }),
  write: switchFlag({ summary: 'Call an operation that is not in the contract, which writes.' }),
  ...writeCallFlags,
};

/** Values of those flags. */
export type FreeCallFlags = Values<typeof callFlags> & CommonFlags;

const operationName = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** Letters by which a mistyped name may differ from the one that is meant; with more it is another name. */
const mostSlips = 2;

/** Throws `usage` for a name that is not one of the contract, unless --read or --write says that it is meant. */
function refuseUnknown(name: string, { read, write }: FreeCallFlags): void {
  const meant = nearest(name, Object.keys(operations), mostSlips);
  const isOtherCase = meant?.toLowerCase() === name.toLowerCase();
  if (!isOtherCase && (read || write)) return;
  const insist = isOtherCase ? '' : `. If the service has an operation ${name}, add --read or --write`;
  throw usage('OPERATION', `there is no operation '${name}' in the contract; nothing was sent${insist}`, {
    hint: 'relctl operations',
    ...perhaps(name, meant),
  });
}

/** The operation of the contract, or one without parameters for a name that --read or --write is given for. Throws `usage`. */
function operationNamed(
  name: string,
  flags: FreeCallFlags,
): { readonly operation: Operation; readonly isKnown: boolean; readonly near?: string | undefined } {
  const known = findOperation(name);
  if (known !== undefined) return { operation: known, isKnown: true };
  const near = nearest(name, Object.keys(operations));
  if (!operationName.test(name)) {
    throw usage('OPERATION', `'${name}' cannot be the name of an operation`, 'relctl operations');
  }
  refuseUnknown(name, flags);
  refuseWith('--read', { '--write': flags.read && flags.write });
  const access = flags.read ? 'read' : 'add';
  return {
    operation: makeOperation({ name, doc: 'Not in the contract.', access, parameters: {}, result: {} }),
    isKnown: false,
    near,
  };
}

async function fileText({ environment, signal }: Context, file: string): Promise<string> {
  if (file === '-') return readStdin(environment, signal);
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw unreadableInput(file, thrown);
  }
}

async function fromFile(context: Context, file: string | undefined): Promise<RecordValue> {
  if (file === undefined) return {};
  const text = await fileText(context, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usage('--input', `--input ${file} is not JSON`);
  }
  // The encoder refuses values that are not of the contract's types, with their path.
  if (isRecord(value as Value)) return value as RecordValue;
  throw usage('--input', '--input holds one JSON object: parameters by name');
}

function param(text: string, operation: Operation, isKnown: boolean): readonly [string, Value] {
  const at = text.indexOf('=');
  if (at < 1) {
    throw usage('--param', `--param takes NAME=VALUE, not '${text}'`);
  }
  const [typed, value] = [text.slice(0, at), text.slice(at + 1)];
  const name = inAnyCase(typed, Object.keys(operation.parameters)) ?? typed;
  const field = Object.hasOwn(operation.parameters, name) ? operation.parameters[name] : undefined;
  if (field !== undefined) return [name, valueOfType(field.type, value, `--param ${name}`)];
  if (!isKnown) return [name, value];
  const near = nearest(name, Object.keys(operation.parameters));
  const names = Object.keys(operation.parameters);
  throw usage(
    '--param',
    `${operation.name} has no parameter '${name}'; it has ${names.length === 0 ? 'none' : names.join(', ')}`,
    perhaps(name, near),
  );
}

async function written(
  context: Context,
  flags: FreeCallFlags,
  { input, isKnown }: { input: RecordValue; isKnown: boolean },
): Promise<Written | undefined> {
  if (flags.raw !== undefined) {
    refuseWith('--raw', { '--param': flags.param, '--input': flags.input });
    const xml = (await fileText(context, flags.raw)).replace(/^\ufeff/, '');
    return { kind: kindOfXml(xml), xml };
  }
  return isKnown ? undefined : { kind: 'elements', xml: freeContent(input) };
}

/** JSON unless something else is asked for. Throws `usage`, before anything is called. */
function formatFor(flags: FreeCallFlags, isKnown: boolean): FormatName {
  const format = chosenFormat(flags) ?? 'json';
  if (!isKnown && formats[format].layout !== 'tree') {
    throw usage('--output', `an answer that no contract describes has no columns for ${format}`, '-o json');
  }
  return format;
}

/** Opens the output of a result, before anything is called. Throws `usage` and `local`. */
function openResult(
  context: Context,
  session: Session,
  { operation, flags, format }: { operation: Operation; flags: FreeCallFlags; format: FormatName },
): Promise<RecordOutput> {
  const record = recordWithoutPresence(`${operation.name}Result`, operation.doc, fullResult(operation));
  return openOutput(context, session, { flags: { ...flags, output: format }, record, shape: 'single', seen: [] });
}

/** Calls any operation, in the contract or not, and prints its whole result. Throws `usage` and what the call throws. */
export async function callOperation(context: Context, name: string, flags: FreeCallFlags): Promise<void> {
  const { operation, isKnown, near } = operationNamed(name, flags);
  if (near !== undefined)
    await note(context, flags, `${name} is not in the contract, and is sent as it is: ${near} is`);
  const given = (flags.param ?? []).map((text) => param(text, operation, isKnown));
  const read = membersInServiceForm(operation.parameters, await fromFile(context, flags.input));
  const input: RecordValue = { ...read, ...Object.fromEntries(given) };
  const instead = await written(context, flags, { input, isKnown });
  const format = formatFor(flags, isKnown);
  const session = await openSession(context, flags);
  const call = { operation, input, ...defined({ written: instead }) };
  if (flags['dry-run']) return printEnvelope(context, session.connection, call);
  const output = flags['raw-output'] ? undefined : await openResult(context, session, { operation, flags, format });
  const what = `call ${name}`;
  const isWrite = operation.access !== 'read';
  if (isWrite) await consent(context, session, { flags, what });
  const place = { context, session };
  if (output === undefined) return writing(place, call, () => printRaw(context, session, call));
  const reply = await writing(place, call, async () => {
    const answer = await session.client.callUntyped(operation, input, call);
    if (isKnown) checkMade(answer, { operation, input, what }, session.profile.name);
    return answer;
  });
  await output.write([{ ...reply.envelope, ...reply.result }]);
  await output.finish();
  // Messages of the envelope are printed with it. For an operation outside the contract every member is unknown.
  const told = notesOfPrinted(reply.notes, undefined).filter(({ kind }) => kind !== 'message');
  if (isKnown) await warnOfNotes(context, flags, told);
  if (isWrite) await tellDone(context, session, { flags, what });
}

/** Prints the answer as it came, also when the call fails. Throws what the call throws. */
async function printRaw(
  context: Context,
  session: Session,
  call: { operation: Operation; input: RecordValue; written?: Written },
): Promise<void> {
  const chunks: Uint8Array[] = [];
  const tee = (chunk: Uint8Array): void => void chunks.push(chunk);
  try {
    await session.client.callUntyped(call.operation, call.input, { ...call, tee });
  } finally {
    for (const chunk of chunks) await context.streams.out.writeBytes(chunk);
  }
}
