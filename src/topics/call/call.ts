import type { Config } from '@oclif/core';
import { defined } from '../../core/values/value.js';
import { bulkFlags } from '../../writes/flags.js';
import { type FormatName, formats } from '../../formats/writers/index.js';
import { freeContent, kindOfXml } from '../../soap/values/free-form.js';
import type { Written } from '../../soap/wire/request.js';
import type { Context } from '../../kit/host/context.js';
import { printEnvelope } from '../../kit/calls/envelope.js';
import { refuseWith } from '../../kit/operations/legacy.js';
import { note } from '../../kit/host/notes.js';
import { chosenFormat } from '../../kit/output/output-choice.js';
import { openSession } from '../../kit/session/session.js';
import { checkUnasked } from '../../lists/record/command.js';
import type { Operation } from '../../contract/build.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { checkDryRunFlags, showWrite } from '../../lists/record/dry-run.js';
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
import { sendOnce } from './send-once.js';

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
    if (flags['dry-run']) return showWrite({ context, session, flags }, { input, what: `call ${operation.name}` });
    return sendOnce({ context, session, flags }, { call, isKnown, format, isRaw: xml !== undefined });
  });
}

/** Calls any operation: prints its result, with --list a list page by page, with --file for each row. Throws what those throw. */
export async function callOperation(input: CallInput): Promise<void> {
  const { flags } = input;
  checkDryRunFlags(flags);
  const { list } = flags;
  if (list !== undefined) {
    const { callList, openRows } = await import('./list.js');
    const ofRows = openRows({ ...input, flags: { ...flags, list } });
    return ofRows === undefined
      ? callList({ ...input, flags: { ...flags, list } })
      : callOnce({ ...input, flags: ofRows });
  }
  refuseOfLists(flags);
  if (flags.file !== undefined) return callForRows(input);
  checkUnasked({ flags: bulkFlags, asked: ['file'] }, flags);
  return callOnce(input);
}
