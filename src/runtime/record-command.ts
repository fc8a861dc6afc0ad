import { type Command, type Interfaces } from '@oclif/core';
import { recordWithoutPresence, type Fields, type Operation, type RecordType } from '../contract/build.js';
import type { Input } from '../contract/infer.js';
import { RelctlError } from '../errors/relctl-error.js';
import { isRecord, type RecordValue } from '../soap/values.js';
import { defineCommand } from './command.js';
import { connectionFlags } from './flags/connection.js';
import { outputFlags } from './flags/output.js';
import { printEnvelope } from './dry-run.js';
import { warnOfNotes } from './notes.js';
import { formatOf } from './output-choice.js';
import { openOutput } from './record-output.js';
import { openSession, type Session } from './session.js';

type ArgsText = Interfaces.ArgInput;
type FlagsText = Interfaces.FlagInput;

/** What a request is made from: what the user gave, and the session it goes to. */
export interface RequestParts<A extends ArgsText, F extends FlagsText> {
  readonly args: Interfaces.InferredArgs<A>;
  readonly flags: Interfaces.InferredFlags<F>;
  readonly session: Session;
}

/** The words and meaning of a command that shows one record. */
export interface RecordCommandText<O extends Operation, A extends ArgsText, F extends FlagsText> {
  readonly operation: O;
  readonly summary: string;
  readonly description?: string;
  readonly examples: readonly string[];
  readonly args: A;
  readonly flags: F;
  /** Member of the result to show; without it the result itself is the record. */
  readonly shows?: keyof O['result'] & string;
  /** Members of the result that are shown as further fields of the record when they hold something. */
  readonly beside?: readonly (keyof O['result'] & string)[];
  readonly request: (parts: RequestParts<A, F>) => Input<O>;
}

function besideType(operation: Operation, shows: string | undefined, beside: readonly string[]): RecordType {
  const shown = shows === undefined ? undefined : operation.result[shows]?.type;
  const own: Fields = shown?.kind === 'record' ? shown.fields : operation.result;
  const more = Object.fromEntries(Object.entries(operation.result).filter(([name]) => beside.includes(name)));
  const name = shown?.kind === 'record' ? shown.name : `${operation.name}Result`;
  return recordWithoutPresence(name, operation.doc, { ...own, ...more });
}

function picked(result: RecordValue, shows: string | undefined, beside: readonly string[]): RecordValue {
  if (shows === undefined) return result;
  const record = result[shows];
  if (!isRecord(record)) {
    throw new RelctlError('not-found', 'there is no such record: the service answered without one', {
      hint: 'Check the Id; `relctl whoami` shows which service was asked.',
    });
  }
  const more = Object.entries(result).filter(([name, value]) => beside.includes(name) && value !== null);
  return { ...record, ...Object.fromEntries(more) };
}

/** Makes a command that calls one operation and shows one record; a missing record is `not-found`. */
export function recordCommand<O extends Operation, const A extends ArgsText, const F extends FlagsText>(
  text: RecordCommandText<O, A, F>,
): typeof Command {
  const { operation, shows, beside = [] } = text;
  const flags = { ...text.flags, ...connectionFlags, ...outputFlags };
  return defineCommand({ ...text, flags, operations: [operation.name] }, async (given) => {
    formatOf(given.flags, undefined);
    const session = await openSession(given.context, given.flags);
    const input = text.request({ ...given, session });
    if (given.flags['dry-run']) return printEnvelope(given.context, session.connection, { operation, input });
    const output = await openOutput(given.context, session, {
      flags: given.flags,
      record: besideType(operation, shows, beside),
      shape: 'single',
    });
    const reply = await session.client.callUntyped(operation, input);
    await output.write([picked(reply.result, shows, beside)]);
    await output.finish();
    await warnOfNotes(given.context, given.flags, reply.notes);
  });
}
