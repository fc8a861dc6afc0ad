import { recordWithoutPresence, type Fields, type Operation, type RecordType } from '../contract/build.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { StreamedContent } from '../soap/streamed-request.js';
import { isRecord, type RecordValue } from '../soap/values.js';
import { consent } from './consent.js';
import type { Context } from './context.js';
import { printEnvelope } from './dry-run.js';
import type { ConnectionFlags } from './flags/connection.js';
import type { OutputFlags } from './flags/output.js';
import type { WriteFlags } from './flags/write.js';
import { warnOfNotes } from './notes.js';
import { openOutput } from './record-output.js';
import type { Session } from './session.js';

/** One call whose result is one record, or nothing. */
export interface CallPlan {
  readonly operation: Operation;
  readonly input: RecordValue;
  /** Goes out in the place of one member of the input. */
  readonly content?: StreamedContent;
  /** Member of the result to show; without it the result itself is the record. */
  readonly shows?: string;
  /** Members of the result that are shown as further fields of the record when they hold something. */
  readonly beside?: readonly string[];
  /** For a write: what it does, in words, and why to ask first. */
  readonly what?: string;
  readonly needsYes?: string;
}

/** Flags of a call. */
export type CallFlags = ConnectionFlags & OutputFlags & WriteFlags;

/** Where a plan runs. */
export interface CallPlace {
  readonly context: Context;
  readonly session: Session;
  readonly flags: CallFlags;
}

/** The record type that a call prints. */
export function printedType({ operation, shows, beside = [] }: CallPlan): RecordType {
  const shown = shows === undefined ? undefined : operation.result[shows]?.type;
  const own: Fields = shown?.kind === 'record' ? shown.fields : operation.result;
  const more = Object.fromEntries(Object.entries(operation.result).filter(([name]) => beside.includes(name)));
  const name = shown?.kind === 'record' ? shown.name : `${operation.name}Result`;
  return recordWithoutPresence(name, operation.doc, { ...own, ...more });
}

/** The record of a result as it is printed. Throws `not-found` when a read brought none, and `bad-answer`. */
export function picked(result: RecordValue, { shows, beside = [], operation }: CallPlan, profile: string): RecordValue {
  if (shows === undefined) return result;
  const record = result[shows];
  if (!isRecord(record)) {
    const isRead = operation.access === 'read';
    throw new RelctlError(
      isRead ? 'not-found' : 'bad-answer',
      isRead ? 'there is no such record: the service answered without one' : `the answer has no ${shows}`,
      {
        facts: { operation: operation.name, profile },
        ...(isRead ? { hint: 'Check the Id; `relctl whoami` shows which service was asked.' } : {}),
      },
    );
  }
  const more = Object.entries(result).filter(([name, value]) => beside.includes(name) && value !== null);
  return { ...record, ...Object.fromEntries(more) };
}

/**
 * Makes one call and prints the record that it gives. A write asks first where that is due, and prints nothing when its
 * result is empty. Throws what the call throws, and `not-found` when a record that was asked for is not there.
 */
export async function runCall(
  { context, session, flags }: CallPlace,
  plan: CallPlan,
): Promise<RecordValue | undefined> {
  const { operation, input, content } = plan;
  if (flags['dry-run'] === true) {
    await printEnvelope(context, session.connection, { operation, input });
    return undefined;
  }
  const isEmpty = Object.keys(operation.result).length === 0;
  const output = isEmpty
    ? undefined
    : await openOutput(context, session, { flags, record: printedType(plan), shape: 'single' });
  if (operation.access !== 'read')
    await consent(context, session, { what: plan.what ?? operation.name, ...plan, flags });
  const reply = await session.client.callUntyped(operation, input, content === undefined ? {} : { content });
  const record = picked(reply.result, plan, session.profile.name);
  await output?.write([record]);
  await output?.finish();
  await warnOfNotes(context, flags, reply.notes);
  return reply.result;
}
