import type { RecordValue } from '../plain/value.js';
import { type Command, type Interfaces } from '@oclif/core';
import type { Operation } from '../contract/build.js';
import type { Input } from '../contract/infer.js';
import { defineCommand } from '../cli/command.js';
import { connectionFlags } from '../cli/flags/connection.js';
import type { Values } from '../cli/flags/define.js';
import { outputFlags, type CommonFlags } from '../cli/flags/output.js';
import { runCall } from './call.js';
import { openSession, type Session } from '../cli/session.js';
import { defined } from '../plain/defined.js';

type ArgsText = Interfaces.ArgInput;
type FlagsText = Interfaces.FlagInput;

/** What a request is made from: what the user gave, and the session it goes to. */
export interface RequestParts<A extends ArgsText, F extends FlagsText> {
  readonly args: Interfaces.InferredArgs<A>;
  readonly flags: Values<F> & CommonFlags;
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

/** Makes a command that calls one operation and shows one record; a missing record is `not-found`. */
export function recordCommand<O extends Operation, const A extends ArgsText, const F extends FlagsText>(
  text: RecordCommandText<O, A, F>,
): typeof Command {
  const { operation, shows, beside = [] } = text;
  const flags = { ...text.flags, ...connectionFlags, ...outputFlags };
  return defineCommand({ ...text, flags, operations: [operation.name] }, async (given) => {
    const session = await openSession(given.context, given.flags);
    const input = text.request({ ...given, session }) as RecordValue;
    const plan = { operation, input, beside, ...defined({ shows }) };
    await runCall({ context: given.context, session, flags: given.flags }, plan);
  });
}
