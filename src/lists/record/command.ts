import type { Command, Interfaces } from '@oclif/core';
import { type RecordValue, defined } from '../../core/values/value.js';
import type { Operation, RecordType } from '../../contract/build.js';
import type { Input } from '../../contract/infer.js';
import type { Resolutions } from '../../kit/host/context.js';
import { defineCommand, type CommandWords, type CommandInput } from '../../kit/command.js';
import {
  connectionFlags,
  outputFlags,
  withNamesFlags,
  writeCallFlags,
  type WriteFlags,
} from '../../kit/flags/common.js';
import { openSession, type Session } from '../../kit/session/session.js';
import { usage } from '../../core/errors/relctl-error.js';
import { printedType, runCall, type CallPlan } from './call.js';
import { showNothing } from './dry-run.js';

type ArgsText = Interfaces.ArgInput;
type FlagsText = Interfaces.FlagInput;
type WriteFlagsText = typeof writeCallFlags;

/** What a request is made from: what the user gave, and the session it goes to. */
export interface RequestParts<A extends ArgsText, F extends FlagsText> extends CommandInput<A, F> {
  readonly session: Session;
}

/** A command that makes one call and shows one record of the answer. */
export interface RecordCommandText<O extends Operation, A extends ArgsText, F extends FlagsText> extends CommandWords<
  A,
  F
> {
  readonly operation: O;
  /** Member of the result to show; without it the result itself is the record. */
  readonly shows?: keyof O['result'] & string;
  /** Members of the result that are shown as further fields of the record, unless they are nil. */
  readonly beside?: readonly (keyof O['result'] & string)[];
  readonly request: (parts: RequestParts<A, F>) => Input<O>;
  /** Takes the record out of the result, where the service gives it among others. Throws `not-found`. */
  readonly picks?: (result: RecordValue, parts: RequestParts<A, F>) => RecordValue | Promise<RecordValue>;
}

/** Makes a command that calls one operation and shows one record; a missing record is `not-found`. */
export function recordCommand<O extends Operation, const A extends ArgsText, const F extends FlagsText>(
  text: RecordCommandText<O, A, F>,
): typeof Command {
  const { operation, shows, beside = [], picks } = text;
  const flags = { ...text.flags, ...connectionFlags, ...outputFlags, ...withNamesFlags };
  const prints = (): readonly RecordType[] => [printedType({ operation, input: {}, beside, ...defined({ shows }) })];
  return defineCommand({
    ...text,
    flags,
    prints,
    operations: [operation.name],
    run: async (parsed) => {
      const session = await openSession(parsed.context, parsed.flags);
      const parts = { ...parsed, session };
      const input = text.request(parts) as RecordValue;
      const picked = picks === undefined ? {} : { picks: (result: RecordValue) => picks(result, parts) };
      await runCall(parts, { operation, input, beside, ...picked, ...defined({ shows }) });
    },
  });
}

/** One write: what is sent, and what the command says and asks about it. */
export type WritePlan<O extends Operation> = Omit<CallPlan, 'operation' | 'shows' | 'beside' | 'input'> &
  Required<Pick<CallPlan, 'what'>> & { readonly input: Input<O> };

interface Instead {
  readonly flags: FlagsText;
  /** Names of the flags, the usual one first. */
  readonly asked: readonly [string, ...string[]];
  readonly run: (input: object) => Promise<void>;
}

/** A command that writes by one call. */
export interface WriteCommandText<O extends Operation, A extends ArgsText, F extends FlagsText, P> extends Omit<
  RecordCommandText<O, A, F>,
  'request' | 'picks'
> {
  /** Operations that it calls before the write, to read. */
  readonly reads?: readonly Operation[];
  /** Checks flags and opens files before the session is opened; what it gives is for the plan. Throws `usage` and `local`. */
  readonly prepare?: (commandInput: CommandInput<A, F & WriteFlagsText>) => P | Promise<P>;
  /** What it does instead when a flag asks for it; then no argument and no other flag is missed. */
  readonly instead?: Instead;
  readonly plan: (
    parts: RequestParts<A, F & WriteFlagsText>,
    prepared: P,
  ) => WritePlan<O> | undefined | Promise<WritePlan<O> | undefined>;
}

/** What a write says, and what it asks about: names of the mirror may be out of date, so that they need a yes. */
function reportedBy(
  {
    named,
    mirrored,
    flags,
  }: Resolutions & { readonly flags: WriteFlags & { readonly 'dry-run': boolean; readonly envelope: boolean } },
  { said = [], needsYes }: Pick<CallPlan, 'said' | 'needsYes'>,
): Pick<CallPlan, 'said' | 'needsYes'> {
  const reasons = [...mirrored, ...(needsYes === undefined ? [] : [needsYes])];
  return {
    // Without a write nothing is asked.
    said: [...named, ...(flags['dry-run'] || flags.envelope ? mirrored : []), ...said],
    ...(reasons.length === 0 ? {} : { needsYes: reasons.join('; ') }),
  };
}

/** Throws `usage` for a flag of another way that was not asked for. */
export function checkUnasked(
  { flags, asked: flagNames }: Pick<Instead, 'flags' | 'asked'>,
  input: Readonly<Record<string, unknown>>,
): void {
  const name = Object.keys(flags).find((each) => input[each] !== undefined && input[each] !== false);
  if (name !== undefined) throw usage(`--${name}`, `--${name} needs --${flagNames[0]}`, `--${flagNames[0]} FILE`);
}

/**
 * Makes a command that writes by one call and shows the record that it made. It asks as `consent` says; --dry-run
 * shows what would change, and --envelope the request. Throws `outcome-unknown` when the answer is lost.
 */
export function writeCommand<O extends Operation, const A extends ArgsText, const F extends FlagsText, P = undefined>(
  text: WriteCommandText<O, A, F, P>,
): typeof Command {
  const { operation, reads = [], shows, beside = [], instead } = text;
  const flags = {
    ...text.flags,
    ...writeCallFlags,
    ...instead?.flags,
  };
  const operations = [...reads, operation].map(({ name }) => name);
  const prints = (): readonly RecordType[] => [printedType({ operation, input: {}, beside, ...defined({ shows }) })];
  const loose = defined({ looseWith: instead?.asked });
  return defineCommand({
    ...text,
    flags,
    prints,
    operations,
    ...loose,
    run: async (parsed) => {
      if (instead !== undefined) {
        const all = parsed.flags as Readonly<Record<string, unknown>>;
        if (instead.asked.some((name) => all[name] !== undefined)) return instead.run(parsed);
        checkUnasked(instead, all);
      }
      // Without `prepare` nothing is prepared, and P is undefined.
      const prepared = (await text.prepare?.(parsed)) as P;
      const session = await openSession(parsed.context, parsed.flags);
      const plan = await text.plan({ ...parsed, session }, prepared);
      if (plan === undefined) return parsed.flags['dry-run'] ? showNothing({ ...parsed, session }) : undefined;
      const input = plan.input as RecordValue;
      const more = { ...reportedBy(parsed, plan), ...defined({ shows }) };
      await runCall({ ...parsed, session }, { ...plan, operation, input, beside, ...more });
    },
  });
}
