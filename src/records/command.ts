import type { Command, Interfaces } from '@oclif/core';
import type { RecordValue } from '../plain/value.js';
import type { Operation } from '../contract/build.js';
import type { Input } from '../contract/infer.js';
import type { Context } from '../host/context.js';
import { defineCommand } from '../cli/command.js';
import { connectionFlags } from '../cli/flags/connection.js';
import type { Values } from '../cli/flags/define.js';
import { outputFlags, type CommonFlags } from '../cli/flags/output.js';
import { writeCallFlags } from '../cli/flags/shared.js';
import { openSession, type Session } from '../cli/session.js';
import { defined } from '../plain/defined.js';
import { runCall } from './call.js';

type ArgsText = Interfaces.ArgInput;
type FlagsText = Interfaces.FlagInput;

/** What a request is made from: what the user gave, and the session it goes to. */
export interface RequestParts<A extends ArgsText, F extends FlagsText> {
  readonly args: Interfaces.InferredArgs<A>;
  readonly flags: Values<F> & CommonFlags;
  readonly context: Context;
  readonly session: Session;
}

/** The words and meaning of a command that makes one call and shows one record of the answer. */
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

/** Makes a command that calls one operation and shows one record; a missing record is `not-found`. */
export function recordCommand<O extends Operation, const A extends ArgsText, const F extends FlagsText>(
  text: RecordCommandText<O, A, F>,
): typeof Command {
  const { operation, shows, beside = [] } = text;
  const flags = { ...text.flags, ...connectionFlags, ...outputFlags };
  return defineCommand({ ...text, flags, operations: [operation.name] }, async (given) => {
    const session = await openSession(given.context, given.flags);
    const input = text.request({ ...given, session }) as RecordValue;
    await runCall({ ...given, session }, { operation, input, beside, ...defined({ shows }) });
  });
}

/** The words and meaning of a command that writes by one call. */
export interface WriteCommandText<
  O extends Operation,
  A extends ArgsText,
  F extends FlagsText,
> extends RecordCommandText<O, A, F> {
  /** What it does, in words, for questions and errors: "add a line to relationship …". */
  readonly what: (args: Interfaces.InferredArgs<A>) => string;
}

/**
 * Makes a command that writes by one call and shows the record that came of it. A protected profile asks first, --dry-run
 * prints the envelope; an answer that is lost is `outcome-unknown`.
 */
export function writeCommand<O extends Operation, const A extends ArgsText, const F extends FlagsText>(
  text: WriteCommandText<O, A, F>,
): typeof Command {
  const { operation, shows, beside = [] } = text;
  const flags = { ...text.flags, ...writeCallFlags };
  return defineCommand({ ...text, flags, operations: [operation.name] }, async (given) => {
    const session = await openSession(given.context, given.flags);
    const input = text.request({ ...given, session }) as RecordValue;
    const what = text.what(given.args);
    await runCall({ ...given, session }, { operation, input, beside, what, ...defined({ shows }) });
  });
}
