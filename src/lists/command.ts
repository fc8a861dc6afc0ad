import type { RecordValue } from '../plain/value.js';
import type { Command, Interfaces } from '@oclif/core';
import type { Operation } from '../contract/build.js';
import type { Input } from '../contract/infer.js';
import type { Context } from '../host/context.js';
import { defineCommand } from '../cli/command.js';
import { pagedListFlags, wholeListFlags } from '../cli/flags/shared.js';
import type { RequestParts } from '../records/command.js';
import type { ListPlan } from './plan.js';
import { runList } from './run.js';
import { changesSince } from './since/changes-since.js';
import { openSession } from '../cli/session.js';

type ArgsText = Interfaces.ArgInput;
type FlagsText = Interfaces.FlagInput;

/** The words and meaning of a command that prints a list. */
export interface ListCommandText<O extends Operation, A extends ArgsText, F extends FlagsText> {
  readonly operation: O;
  readonly summary: string;
  readonly description?: string;
  readonly examples: readonly string[];
  readonly args: A;
  readonly flags: F;
  /** Member of the result that holds the list. */
  readonly shows: keyof O['result'] & string;
  /** Columns of a table when none are asked for. */
  readonly table: readonly string[];
  /** The request without its page number and size. */
  readonly request: (parts: RequestParts<A, F>) => Omit<Input<O>, 'pageNumber' | 'pageSize'>;
  /** Takes the whole list of an operation without pages, before any of it is written. */
  readonly came?: (records: readonly RecordValue[], parts: RequestParts<A, F> & { readonly context: Context }) => void;
}

/** Makes a command that lists what one operation gives. */
export function listCommand<O extends Operation, const A extends ArgsText, const F extends FlagsText>(
  text: ListCommandText<O, A, F>,
): typeof Command {
  const { operation, shows, table, came } = text;
  const flags = { ...text.flags, ...(operation.paged === undefined ? wholeListFlags : pagedListFlags) };
  return defineCommand({ ...text, flags, operations: [operation.name] }, async (given) => {
    const { context } = given;
    const session = await openSession(context, given.flags);
    const parts = { ...given, session };
    const input = text.request(parts) as unknown as RecordValue;
    const taking: Pick<ListPlan, 'came'> = came === undefined ? {} : { came: (records) => came(records, parts) };
    const plan = { operation, input, shows, table, ...taking };
    const changes = await changesSince({ context, session, flags: given.flags }, given.flags, plan);
    await runList(changes.run, changes.plan);
  });
}
