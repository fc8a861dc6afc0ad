import { listIn } from '../client/list-answer.js';
import type { RecordValue } from '../core/values/value.js';
import type { Command, Interfaces } from '@oclif/core';
import type { Operation, RecordType } from '../contract/build.js';
import type { Input } from '../contract/infer.js';
import { defineCommand, type CommandWords, type None } from '../kit/command.js';
import { pagedListFlags, wholeListFlags, type ChangesFlags } from './list-flags.js';
import type { Values } from '../kit/flags/define.js';
import type { RequestParts } from './record/call.js';
import type { EditList } from './editing/for-edit.js';
import { itemType, readablePlan, type ListFlags, type ListPlan, type ListRun } from './plan.js';
import { runList } from './run.js';
import { openSession } from '../kit/session/session.js';

type ArgsText = Interfaces.ArgInput;
type FlagsText = Interfaces.FlagInput;

type PageInput<O extends Operation> = Omit<Input<O>, 'pageNumber' | 'pageSize'>;

/** A command that prints the list of one operation. */
export interface ListCommandText<O extends Operation, A extends ArgsText, F extends FlagsText> extends CommandWords<
  A,
  F
> {
  readonly operation: O;
  readonly shows: keyof O['result'] & string;
  readonly table: readonly string[];
  readonly request: (parts: RequestParts<A, F>) => PageInput<O> | Promise<PageInput<O>>;
  /** Called with all records of an operation without pages, before any is written. */
  readonly came?: (records: readonly RecordValue[], parts: RequestParts<A, F>) => void;
}

/** A command whose flags decide which of several operations gives the list. */
export interface PlannedListText<A extends ArgsText, F extends FlagsText> extends CommandWords<A, F> {
  /** All with pages, or all without. */
  readonly operations: readonly [Operation, ...Operation[]];
  /** Checks the flags before the session is opened. Throws `usage`. */
  readonly check?: (flags: Values<F>) => void;
  readonly plan: (parts: RequestParts<A, F> & ListRun) => ListPlan | Promise<ListPlan>;
  /** The list as --for-edit writes it; loaded for that alone. Throws `usage`. */
  readonly forEdit?: (plan: ListPlan) => Promise<EditList>;
  /** Records that it prints, where they are not those of its operations. */
  readonly prints?: () => readonly RecordType[];
}

/** The list, with --changes-since as what changed in it. Throws what `changesSince` throws. */
export async function withChanges(
  run: ListRun,
  flags: ListFlags & Partial<ChangesFlags>,
  plan: ListPlan,
): Promise<{ readonly run: ListRun; readonly plan: ListPlan }> {
  if (flags['changes-since'] === undefined && flags.show === undefined) return { run, plan };
  const { changesSince } = await import('./changes-since/changes-since.js');
  return changesSince(run, flags, readablePlan(run.session, plan));
}

/** The list, with --for-edit as a file that is fed back. Throws `usage`. */
async function editing(
  { run, plan }: { readonly run: ListRun; readonly plan: ListPlan },
  edited: PlannedListText<ArgsText, FlagsText>['forEdit'],
): Promise<{ readonly run: ListRun; readonly plan: ListPlan }> {
  if (edited === undefined || run.flags['for-edit'] !== true) return { run, plan };
  const { forEdit } = await import('./editing/for-edit.js');
  return forEdit(run, await edited(plan));
}

/** Makes a command that prints the list of the plan that its flags give. */
export function plannedListCommand<const A extends ArgsText = None, const F extends FlagsText = FlagsText>(
  text: PlannedListText<A, F>,
): typeof Command {
  const [{ paged }] = text.operations;
  // Twice: they come first in help, and one of them may stand in the place of a usual one.
  const flags = { ...text.flags, ...(paged === undefined ? wholeListFlags : pagedListFlags), ...text.flags };
  const operations = text.operations.map(({ name }) => name);
  return defineCommand({
    ...text,
    flags,
    operations,
    run: async (commandInput) => {
      text.check?.(commandInput.flags);
      const session = await openSession(commandInput.context, commandInput.flags);
      const parts = { ...commandInput, session };
      const changes = await withChanges(parts, commandInput.flags, await text.plan(parts));
      const { run, plan } = await editing(changes, text.forEdit);
      await runList(run, plan);
    },
  });
}

/** Makes a command that prints the list of one operation. */
export function listCommand<
  O extends Operation,
  const A extends ArgsText = None,
  const F extends FlagsText = FlagsText,
>(text: ListCommandText<O, A, F>): typeof Command {
  const { operation, shows, table, came } = text;
  return plannedListCommand({
    ...text,
    operations: [operation],
    prints: () => [itemType({ operation, input: {}, shows, table })],
    plan: async (parts) => ({
      operation,
      input: (await text.request(parts)) as unknown as RecordValue,
      shows,
      table,
      ...(came && { answer: { check: (result) => came(listIn(operation, result, shows).records, parts) } }),
    }),
  });
}
