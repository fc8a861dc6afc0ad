import type { Command, Interfaces } from '@oclif/core';
import type { Operation, RecordType } from '../contract/build.js';
import { defined, type RecordValue } from '../core/values/value.js';
import { defineCommand, type CommandInput, type CommandWords } from '../kit/command.js';
import { writeCallFlags, type WriteFlags } from '../kit/flags/common.js';
import type { Resolutions } from '../kit/host/context.js';
import { openSession } from '../kit/session/session.js';
import { printedType, runCall, type RequestParts, type WritePlan, type WriteWords } from '../lists/record/call.js';
import { showNothing } from '../lists/record/dry-run.js';
import type { RowParameter } from './columns.js';
import { bulkFlags, checkUnasked } from './flags.js';
import type { BatchInput, RowsText } from './rows/rows-text.js';

type ArgsText = Interfaces.ArgInput;
type FlagsText = Interfaces.FlagInput;
type WriteFlagsText = typeof writeCallFlags;

/** A command that writes by one call, or by a call for each row of a file. */
export interface WriteCommandText<
  O extends Operation,
  A extends ArgsText,
  F extends FlagsText,
  P,
  S,
> extends CommandWords<A, F> {
  readonly operation: O;
  /** Member of the result to show; without it the result itself is the record. */
  readonly shows?: keyof O['result'] & string;
  /** Members of the result that are shown as further fields of the record, unless they are nil. */
  readonly beside?: readonly (keyof O['result'] & string)[];
  /** Operations that it calls before the write, to read. */
  readonly reads?: readonly Operation[];
  /** Checks flags and opens files before the session is opened; what it gives is for the plan. Throws `usage` and `local`. */
  readonly prepare?: (commandInput: CommandInput<A, F & WriteFlagsText>) => P | Promise<P>;
  readonly plan: (
    parts: RequestParts<A, F & WriteFlagsText>,
    prepared: P,
  ) => WritePlan<O> | undefined | Promise<WritePlan<O> | undefined>;
  /** More flags of --file, of this command alone. */
  readonly rowFlags?: FlagsText;
  /** Names of those of them that stand in the place of --file. */
  readonly alsoFile?: readonly string[];
  /** How it writes rows; loaded for --file alone. */
  readonly rows: () => Promise<RowsText<S>>;
}

/** What a write says, and what it asks about: names of the mirror may be out of date, so that they need a yes. */
function reportedBy(
  {
    named,
    mirrored,
    flags,
  }: Resolutions & { readonly flags: WriteFlags & { readonly 'dry-run': boolean; readonly envelope: boolean } },
  { said = [], needsYes }: Pick<WriteWords, 'said' | 'needsYes'>,
): Pick<WriteWords, 'said' | 'needsYes'> {
  const reasons = [...mirrored, ...(needsYes === undefined ? [] : [needsYes])];
  return {
    // Without a write nothing is asked.
    said: [...named, ...(flags['dry-run'] || flags.envelope ? mirrored : []), ...said],
    ...(reasons.length === 0 ? {} : { needsYes: reasons.join('; ') }),
  };
}

const parametersOf = (definitions: Readonly<Record<string, object>>): readonly (readonly [string, RowParameter])[] =>
  Object.entries(definitions).map(([name, definition]) => [name, { ...definition, name }]);

/**
 * Makes a command that writes by one call and shows the record that it made, or with --file by a call for each row. It asks
 * as `consent` says; --dry-run shows what would change, and --envelope the request. Throws `outcome-unknown` when the answer
 * is lost.
 */
export function writeCommand<
  O extends Operation,
  const A extends ArgsText,
  const F extends FlagsText,
  P = undefined,
  S = undefined,
>(text: WriteCommandText<O, A, F, P, S>): typeof Command {
  const { operation, reads = [], shows, beside = [], rows, rowFlags = {}, alsoFile = [] } = text;
  const fileFlags = { flags: { ...bulkFlags, ...rowFlags }, asked: ['file', ...alsoFile] } as const;
  const parameters = new Map([...parametersOf(text.args ?? {}), ...parametersOf(text.flags)]);
  const prints = (): readonly RecordType[] => [printedType({ operation, input: {}, beside, ...defined({ shows }) })];
  return defineCommand({
    ...text,
    flags: { ...text.flags, ...writeCallFlags, ...fileFlags.flags },
    prints,
    operations: [...reads, operation].map(({ name }) => name),
    looseWith: fileFlags.asked,
    run: async (parsed) => {
      const all = parsed.flags as Readonly<Record<string, unknown>>;
      if (fileFlags.asked.some((name) => all[name] !== undefined)) {
        const [{ runBulk }, written] = await Promise.all([import('./run.js'), rows()]);
        // The flags are those of above, whose types a generic hides.
        return runBulk({ ...(parsed as unknown as BatchInput), places: parameters }, written);
      }
      checkUnasked(fileFlags, all);
      // Without `prepare` nothing is prepared, and P is undefined.
      const prepared = (await text.prepare?.(parsed)) as P;
      const session = await openSession(parsed.context, parsed.flags);
      const plan = await text.plan({ ...parsed, session }, prepared);
      if (plan === undefined) return parsed.flags['dry-run'] ? showNothing({ ...parsed, session }) : undefined;
      const input = plan.input as RecordValue;
      const write = { ...plan, ...reportedBy(parsed, plan) };
      await runCall({ ...parsed, session }, { operation, input, beside, write, ...defined({ shows }) });
    },
  });
}
