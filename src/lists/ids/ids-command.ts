import type { Command, Interfaces } from '@oclif/core';
import { defineCommand } from '../../kit/command.js';
import type { AgeFlags } from '../../names/mirror/open.js';
import type { connectionFlags, outputFlags } from '../../kit/flags/common.js';
import type { idsFlags } from '../list-flags.js';
import { optionalRecordArg } from '../../kit/flags/kinds.js';
import { openSession } from '../../kit/session/session.js';
import type { Operation, RecordType } from '../../contract/build.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { runCall } from '../record/call.js';
import type { RequestParts } from '../record/call.js';
import { showsRecord, type ListPlan, type ListRun, type PlanOf } from '../plan.js';
import type { IdList } from './parse.js';

const args = { id: optionalRecordArg('relation') };

type FlagsText = Interfaces.FlagInput;

type SharedFlags = typeof idsFlags & typeof connectionFlags & typeof outputFlags;

type Run<F extends FlagsText> = Omit<RequestParts<typeof args, F & SharedFlags>, 'args'>;

/** A command about one relation, or about each relation of --ids. */
export interface RelationCommandText<F extends FlagsText> {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
  readonly flags: F & SharedFlags;
  readonly operations: readonly Operation[];
  /** Records that it prints, where they are not those of its operations. */
  readonly prints?: () => readonly RecordType[];
  /** Checks the flags before anything is read or opened. Throws `usage`. */
  readonly check?: (flags: Run<F>['flags']) => void;
  readonly plan: (run: Run<F>) => PlanOf | Promise<PlanOf>;
}

interface IdsInput {
  readonly args: { readonly id?: string | undefined };
  readonly flags: AgeFlags & { readonly ids?: string | undefined };
}

/** The ids of the file of --ids, or the one of the command line. Throws `usage` when both or neither are given. */
async function idsOf(context: Context, { args: { id }, flags }: IdsInput): Promise<IdList | string> {
  const { ids: file } = flags;
  if (id !== undefined && file !== undefined) throw usage('--ids', 'an ID and --ids cannot be used together');
  if (id !== undefined) return id;
  if (file === undefined) throw usage('ID', 'ID is missing: specify one, or use --ids FILE');
  const { readIds } = await import('./read.js');
  return readIds(context, flags, file);
}

/** Runs the plan of an ID that was given by itself: a record is shown as one, and a list can be exported and resumed. */
async function runOne(run: ListRun, plan: ListPlan): Promise<void> {
  if (showsRecord(plan)) await runCall(run, plan);
  else await (await import('../run.js')).runList(run, plan);
}

/**
 * Makes a command about one relation, or about each relation of --ids. What only many ids, or lists, need is loaded for
 * those alone: one record is shown as quickly as by a command for one.
 */
export function relationCommand<const F extends FlagsText>(text: RelationCommandText<F>): typeof Command {
  const operations = text.operations.map(({ name }) => name);
  return defineCommand({
    ...text,
    args,
    operations,
    run: async (input) => {
      text.check?.(input.flags);
      const ids = await idsOf(input.context, input);
      const session = await openSession(input.context, input.flags);
      const run = { ...input, session };
      const planOf = await text.plan(run);
      if (typeof ids === 'string') return runOne(run, await planOf(ids));
      const { runEach } = await import('./run-each.js');
      await runEach(run, ids, planOf);
    },
  });
}
