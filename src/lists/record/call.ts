import type { Interfaces } from '@oclif/core';
import type { Input } from '../../contract/infer.js';
import type { CommandInput } from '../../kit/command.js';
import type { Session } from '../../kit/session/session.js';
import { isWatched } from '../../formats/streams.js';
import { recordOf, recordWithin } from '../../contract/walk.js';
import { hasValue, type RecordValue, defined } from '../../core/values/value.js';
import type { Reply } from '../../client/call.js';
import { readableIn } from '../../client/connection.js';
import { recordWithoutPresence, type Fields, type Operation, type RecordType } from '../../contract/build.js';
import { RelctlError, untold } from '../../core/errors/relctl-error.js';
import type { StreamedContent } from '../../soap/wire/content.js';
import type { Note } from '../../soap/codec/notes.js';
import { confirmsWrites, consent, reportDone } from '../../kit/consent.js';
import { printEnvelope } from '../../kit/calls/envelope.js';
import type { Change } from './differences.js';
import { checkDryRunFlags, printDryRun, type CallContext } from './dry-run.js';
import { columnsOf, fieldIds, madeColumns } from '../fields/columns.js';
import { insteadOf, missingRecord, recordIn, type AnswerResult, type RequiredRecord } from './missing.js';
import { note, notesOfPrinted, warnOfNotes } from '../../kit/host/notes.js';
import { namedRecords } from '../../names/record-names.js';
import { openOutput } from '../../kit/output/open-output.js';
import {
  checkOutput,
  formatFor,
  mayShowNames,
  type OutputRequest,
  type RecordOutput,
} from '../../kit/output/record-output.js';
import { convert, type Shape } from '../shape.js';
import type { LedgerFacts } from './recorded.js';
import { writing } from './writing.js';

/** One call whose result is one record, or nothing. */
export interface CallPlan {
  readonly operation: Operation;
  readonly input: RecordValue;
  /** Member of the result to show; without it the result itself is the record. */
  readonly shows?: string;
  /** Members of the result that are shown as further fields of the record, unless they are nil. */
  readonly beside?: readonly string[];
  /** What the error says when a read finds no record: "there is no attachment 7". */
  readonly missing?: string;
  /** Takes the record out of the result, where it is one of many. Throws `not-found`. */
  readonly picks?: (result: RecordValue) => RecordValue | Promise<RecordValue>;
  /** For a write; without it the name of the operation says what it does. */
  readonly write?: WriteWords;
}

/** What a command says and asks about a write, and what goes beside its input. */
export interface WriteWords {
  /** What it does, in words. */
  readonly what: string;
  /** The reason to ask for consent. */
  readonly needsYes?: string;
  /** What names and texts were found to mean, in words: told before the write is asked about or shown. */
  readonly said?: readonly string[];
  /** What it changes, where --dry-run shows it better than by what is sent. */
  readonly changes?: readonly Change[];
  /** Makes the input again after a question was answered, where it was made from what was read before. */
  readonly again?: () => Promise<RecordValue>;
  /** Sent in the place of one member of the input. */
  readonly content?: StreamedContent;
  /** What the ledger is told besides; of `undoes` the id of the entry that the write undoes. */
  readonly ledger?: Pick<LedgerFacts<unknown>, 'before' | 'undoes' | 'verify'>;
}

/** One write: what is sent, and what the command says and asks about it. */
export type WritePlan<O extends Operation> = WriteWords & { readonly input: Input<O> };

/** What a request is made from: what the user gave, and the session it goes to. */
export interface RequestParts<A extends Interfaces.ArgInput, F extends Interfaces.FlagInput> extends CommandInput<
  A,
  F
> {
  readonly session: Session;
}

/** The record type that a call prints. */
export function printedType({ operation, shows, beside = [] }: CallPlan): RecordType {
  const recordType = shows === undefined ? undefined : recordWithin(operation.result[shows]?.type);
  const own: Fields = recordType?.fields ?? operation.result;
  const more = Object.fromEntries(Object.entries(operation.result).filter(([name]) => beside.includes(name)));
  return recordWithoutPresence(recordType?.name ?? `${operation.name}Result`, operation.doc, { ...own, ...more });
}

const invalidKinds: ReadonlySet<Note['kind']> = new Set(['bad-value', 'unexpected-elements']);

function checkRequired({ result, notes = [] }: AnswerResult, { operation }: CallPlan): void {
  for (const [name, { presence }] of Object.entries(operation.result)) {
    const isInvalid = notes.some(({ kind, path }) => invalidKinds.has(kind) && path === name);
    if (presence !== 'req' || (hasValue(result[name]) && !isInvalid)) continue;
    throw new RelctlError('bad-answer', `the answer has no ${name}${isInvalid ? ' of its type' : ''}`, {
      facts: { operation: operation.name, code: 'missing-field', path: name },
    });
  }
}

/** The error for a write whose answer does not have the record that it made; `writing` adds how to find out. */
function unconfirmed(answerResult: AnswerResult, requiredRecord: RequiredRecord, what: string): RelctlError {
  const { operation } = requiredRecord;
  const instead = insteadOf(answerResult, requiredRecord);
  const came = instead.length === 0 ? '' : `, but with ${instead.slice(0, 10).join(', ')}`;
  return new RelctlError(
    'outcome-unknown',
    `the service answered without the ${requiredRecord.member}${came}: relctl does not know whether it did ${what}`,
    {
      facts: { operation: operation.name, code: 'no-record' },
      data: instead.length === 0 ? undefined : answerResult.result,
    },
  );
}

/**
 * Throws `outcome-unknown` for an operation that adds a record and was answered without one. Nothing says which member of an
 * imported operation that is: its answer must have what the WSDL says is always there, beside what says how the call went.
 */
export function checkMade(
  brought: AnswerResult & Pick<Reply, 'envelope'>,
  { operation, what }: Pick<CallPlan, 'operation'> & Pick<WriteWords, 'what'>,
  profile: string,
): void {
  if (operation.access !== 'add') return;
  const members = Object.entries(operation.result);
  const came = { ...brought.envelope, ...brought.result };
  const missing =
    operation.source === 'imported'
      ? members.find(([name, { presence }]) => presence === 'req' && came[name] === undefined)
      : members
          .filter(([, { type }]) => recordOf(type) !== undefined)
          .slice(0, 1)
          .find(([member]) => recordIn(brought, { operation, member }) === undefined);
  if (missing !== undefined) throw unconfirmed(brought, { operation, member: missing[0] }, what).with({ profile });
}

/**
 * The record of an answer as it is printed. Throws `not-found` for a read of a record that does not exist, `bad-answer` when
 * the answer has something else, or does not have a required member, and `outcome-unknown` for a write that was answered
 * without the record that it made.
 */
export async function picked(brought: AnswerResult, plan: CallPlan, profile: string): Promise<RecordValue> {
  const { shows, beside = [], operation, missing } = plan;
  if (plan.picks !== undefined) return plan.picks(brought.result);
  if (shows === undefined) {
    checkRequired(brought, plan);
    return brought.result;
  }
  const required = { operation, member: shows, ...defined({ words: missing }) };
  const record = recordIn(brought, required);
  if (record === undefined) {
    const { what } = plan.write ?? { what: operation.name };
    const error = operation.access === 'read' ? missingRecord(brought, required) : unconfirmed(brought, required, what);
    throw error.with({ profile });
  }
  const more = Object.entries(brought.result).filter(([name, value]) => beside.includes(name) && value !== null);
  return { ...record, ...Object.fromEntries(more) };
}

const printedMembers = ({ shows, beside = [] }: CallPlan): readonly string[] | undefined =>
  shows === undefined ? undefined : [shows, ...beside];

type Printer = (record: RecordValue) => Promise<void>;

/**
 * Opens the output of one record before anything is called. Where field values have columns, it is only checked, and opened
 * when the record is there: the columns are known then. Throws `usage` and `local`.
 */
async function openPrinter(callContext: CallContext, plan: CallPlan): Promise<Printer> {
  const { context, session, flags } = callContext;
  const record = printedType(plan);
  const { operation, input } = plan;
  const isOnce = operation.access !== 'read';
  const outputRequest: OutputRequest = { flags, record, shape: 'single', isOnce };
  const format = formatFor(context, session, outputRequest);
  const own = { type: record, of: (came: RecordValue) => came, table: [] };
  const named = mayShowNames(flags, format) ? await namedRecords(callContext, own, format) : undefined;
  const request = { ...outputRequest, made: await madeColumns(callContext, plan, record) };
  const unnamed: Shape = { type: record, table: [] };
  const first = named === undefined ? unnamed : convert(unnamed, named, []);
  const { shape, fields } = await columnsOf(callContext, { operation, input, format }, first);
  const open = ({ type }: Shape): Promise<RecordOutput> => openOutput(context, session, { ...request, record: type });
  if (fields !== undefined) await checkOutput(context, session, request);
  const opened = fields === undefined ? await open(shape) : undefined;
  return async (came) => {
    const known = fields?.with(fieldIds(came)) ?? shape;
    const output = opened ?? (await open(known));
    await output.write(known.rows?.(came) ?? [came]);
    await output.finish();
  };
}

/** Prints what a write was answered. When that fails, the error says that the write was done. Throws what printing throws. */
export async function printResult(what: string, print: () => Promise<void> | undefined): Promise<void> {
  try {
    await print();
  } catch (thrown) {
    throw untold(thrown, `the write succeeded (${what}), do not repeat it`);
  }
}

/** The input of a write once it is meant, made anew after a question. Throws `usage` when it is not meant. */
async function agreedInput({ context, session, flags }: CallContext, plan: RunPlan): Promise<RecordValue> {
  const { what, needsYes, ledger, again } = plan.write;
  const isUndoable = ledger?.before !== undefined && session.profile.values.ledger?.value === true;
  const isPrompted = await consent(context, session, { what, flags, isUndoable, ...defined({ needsYes }) });
  return (isPrompted ? await again?.() : undefined) ?? plan.input;
}

/** Tells what a write puts in the place of what was given, wherever a person may look: it is not seen in the question. */
async function reportSubstitutes({ context, session, flags }: CallContext, said: readonly string[]): Promise<void> {
  const confirms = confirmsWrites(context, session.profile, flags);
  if (!flags.envelope && !flags['dry-run'] && !isWatched(context.streams.err)) return;
  for (const line of said) await note(context, confirms ? {} : flags, line);
}

type RunPlan = CallPlan & Required<Pick<CallPlan, 'write'>>;

type Answer = { readonly reply: Reply; readonly record: RecordValue };

async function answerOf({ session }: CallContext, plan: RunPlan, input: RecordValue): Promise<Answer> {
  const { operation, picks, write: words } = plan;
  const options = { isWhole: picks === undefined, ...defined({ content: words.content }) };
  const reply = await session.client.callUntyped(operation, input, options);
  return { reply, record: await picked(reply, plan, session.profile.name) };
}

async function write(call: CallContext, plan: RunPlan, printer: Printer | undefined): Promise<Reply> {
  const { context, session, flags } = call;
  const input = await agreedInput(call, plan);
  const idOf = ({ record: { Id: id } }: Answer): string | undefined => (typeof id === 'string' ? id : undefined);
  const ledger = { session, flags, what: plan.write.what, idOf, ...plan.write.ledger };
  const { reply, record } = await writing({ context, ledger }, { ...plan, input }, () => answerOf(call, plan, input));
  await printResult(ledger.what, () => printer?.(record));
  return reply;
}

async function read(context: CallContext, plan: RunPlan, printer: Printer | undefined): Promise<Reply> {
  const { reply, record } = await answerOf(context, plan, plan.input);
  await printer?.(record);
  return reply;
}

/**
 * Makes one call and prints the record of its answer. A write asks for consent first where that is needed, prints nothing
 * when its result is empty, and says to a terminal that it was done. Throws what the call, `consent` and `picked` throw.
 */
export async function runCall(call: CallContext, callPlan: CallPlan): Promise<void> {
  const { context, session, flags } = call;
  const { write: words = { what: callPlan.operation.name } } = callPlan;
  const plan = { ...callPlan, operation: readableIn(session.connection, callPlan.operation), write: words };
  const { operation, input } = plan;
  const { what, needsYes, said, changes } = words;
  if (flags['dry-run']) checkDryRunFlags(flags);
  if (said !== undefined) await reportSubstitutes(call, said);
  if (flags.envelope) return printEnvelope(call, { operation, input });
  if (flags['dry-run']) return printDryRun(call, { input, what, needsYes, changes });
  const isEmpty = Object.keys(operation.result).length === 0;
  const printer = isEmpty ? undefined : await openPrinter(call, plan);
  const isRead = operation.access === 'read';
  const reply = await (isRead ? read : write)(call, plan, printer);
  await warnOfNotes(context, flags, notesOfPrinted(reply.notes, printedMembers(plan)));
  if (!isRead) await reportDone(context, session, { flags, what });
}
