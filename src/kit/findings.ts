import { inRole, opt, recordWithoutPresence, req } from '../contract/build.js';
import { string } from '../contract/scalars.js';
import type { Context } from './host/context.js';
import { escapeForTerminal } from '../formats/escape.js';
import { formats } from '../formats/writers/index.js';
import type { RecordValue } from '../core/values/value.js';
import { fileOf, type OutputFlags } from './flags/common.js';
import { formatFor, type OutputRequest } from './output/record-output.js';
import type { Session } from './session/session.js';

/** How a check ended. The words are the marks: they need no colour. */
type State = 'ok' | 'warning' | 'wrong' | 'skipped';

/** A check. */
export interface Finding {
  readonly check: string;
  readonly state: State;
  readonly detail: string;
  /** One thing to do about it. */
  readonly hint?: string | undefined;
}

/** A finding as it is printed. */
export const FindingRecord = recordWithoutPresence('Finding', 'A check.', {
  Check: inRole('key', req(string, 'What relctl checked.')),
  State: inRole('key', req(string, 'ok, warning or wrong; skipped when it depends on a check that is wrong.')),
  Detail: inRole('words', req(string, 'The result of the check.')),
  Try: inRole('words', opt(string, 'What to do about it.')),
});

const tableColumns = ['Check', 'State', 'Detail'];

/** Findings as records. */
export const findingRecords = (findings: readonly Finding[]): readonly RecordValue[] =>
  findings.map(({ check, state, detail, hint }) => ({ Check: check, State: state, Detail: detail, Try: hint ?? null }));

/** The request that prints findings. */
export const findingRequest = (flags: OutputFlags): OutputRequest => ({
  flags,
  record: FindingRecord,
  shape: 'list',
  table: tableColumns,
});

const states: readonly State[] = ['ok', 'warning', 'wrong', 'skipped'];

/** The findings counted by state, in one line, with the first thing to do: what is wrong comes before warnings. */
export function summaryOf(findings: readonly Finding[]): string {
  const counts = states.flatMap((state) => {
    const count = findings.filter((each) => each.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const inOrder = (['wrong', 'warning'] as const).flatMap((state) => findings.filter((each) => each.state === state));
  const first = inOrder.find(({ hint }) => hint !== undefined)?.hint;
  return `${findings.length} checks: ${counts.join(', ')}.${first === undefined ? '' : ` First: ${first}`}`;
}

/** Ends a table or cards on stdout with the summary; other formats have all of it in their records. */
export async function printSummary(
  context: Context,
  { flags, session }: { readonly flags: OutputFlags; readonly session?: Session },
  findings: readonly Finding[],
): Promise<void> {
  const format = formatFor(context, session, findingRequest(flags));
  if (formats[format].audience !== 'people' || fileOf(flags) !== undefined) return;
  await context.streams.out.write(`${escapeForTerminal(summaryOf(findings))}\n`);
}
