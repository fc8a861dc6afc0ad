import type { Session } from '../../cli/session/session.js';
import { serviceOf } from '../../cli/session/service-of.js';
import { usage } from '../../errors/usage.js';
import type { InputFile } from '../../inputs/input.js';
import { isObject } from '../../plain/object.js';
import type { BulkGiven } from '../given.js';
import type { KeptRows } from '../planned-rows.js';
import type { RowsText } from '../rows-text.js';
import { readPlan, type KeptPlan, type PlanHead } from './plan-file.js';

/** A plan that is older is refused, unless --max-plan-age says more, in milliseconds: seven days. */
const usualAgeMs = 7 * 24 * 3600 * 1000;

/** Flags that say what rows are: those of a plan are what they are. */
const ofRows = [
  'from',
  'map',
  'ignore-column',
  'entity-type',
  'find-by',
  'null-as',
  'no-base',
  'plan',
  'skip-invalid',
  'no-id-check',
] as const;

/** True for a value that the command line said; parameters of all rows that are none were not. */
const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(isObject(value) && Object.keys(value).length === 0);

/**
 * Throws `usage` for flags of plans that do not go together: a plan is kept of what --dry-run shows, and applied as it is.
 */
export function checkPlanFlags({ args, flags, places }: BulkGiven): void {
  const { plan, 'from-plan': kept, 'dry-run': isDry } = flags;
  if (plan !== undefined && !isDry) throw usage('--plan', '--plan keeps what --dry-run shows', '--dry-run');
  const goesOn = (['resume', 'retry-unknown', 'settle'] as const).find((name) => isGiven(flags[name]));
  if (isDry && goesOn !== undefined)
    throw usage(`--${goesOn}`, `--${goesOn} goes on with a batch; --dry-run shows what a new one would do`);
  if (kept === undefined) {
    if (flags['max-plan-age'] === undefined) return;
    throw usage('--max-plan-age', '--max-plan-age goes with --from-plan', '--from-plan FILE');
  }
  const given = [...ofRows, ...places.keys()].find((name) => isGiven(flags[name]) || isGiven(args[name]));
  if (given === undefined) return;
  const name = given in args ? given.toUpperCase() : `--${given}`;
  throw usage(name, `--from-plan sends the rows of the plan as they are: ${name} cannot change them`);
}

const compared = {
  operation: 'another operation',
  profile: 'another profile',
  url: 'another service',
  namespace: 'another service',
  database: 'another database',
} as const satisfies Partial<Record<keyof PlanHead, string>>;

type Compared = Readonly<Record<keyof typeof compared, string>>;

/** Throws `usage` for a plan that was made for something else. */
function checkPurpose({ file, head }: KeptPlan, now: Compared): void {
  // Each key, in their order.
  const other = (Object.keys(compared) as (keyof typeof compared)[]).find((name) => head[name] !== now[name]);
  if (other === undefined) return;
  const was = other === 'profile' || other === 'operation' ? `: ${head[other]}` : '';
  throw usage('--from-plan', `${file} was made for ${compared[other]}${was}; nothing was sent`, {
    ...(other === 'profile' ? { hint: `--profile ${head.profile}` } : {}),
  });
}

function checkAge({ file, head }: KeptPlan, nowMs: number, mostMs: number): void {
  const madeMs = Date.parse(head.madeAt);
  if (nowMs - madeMs <= mostMs) return;
  throw usage('--from-plan', `${file} is of ${head.madeAt}, which is too long ago; nothing was sent`, {
    advice: 'Make it again, or say by --max-plan-age how old it may be.',
  });
}

/**
 * Opens the plan of --from-plan. Throws `usage` for one that is not as it was kept, is too old, or was made for another
 * operation, profile or service.
 */
export function openKeptPlan<S>(
  { flags, context }: BulkGiven,
  file: string,
  { session, text }: { readonly session: Session; readonly text: RowsText<S> },
): KeptPlan {
  const kept = readPlan(file);
  const { operation } = text;
  checkPurpose(kept, { operation: operation.name, profile: session.profile.name, ...serviceOf(session) });
  checkAge(kept, context.clock.date().getTime(), flags['max-plan-age'] ?? usualAgeMs);
  return kept;
}

/** Rows that were planned before, as they were given, for the results. */
export const inputOfKept = (
  kept: KeptRows,
  { name, sha256, columns }: Pick<InputFile, 'name' | 'sha256' | 'columns'>,
): InputFile => ({
  name,
  sha256,
  columns,
  said: [],
  mayHaveCommas: false,
  skipped: 0,
  // Read as files are, one row after the other.
  // eslint-disable-next-line @typescript-eslint/require-await
  async *rows() {
    for (const { line, cells } of kept.rows()) yield { line, cells };
  },
  cellName: () => undefined,
  close: () => undefined,
});
