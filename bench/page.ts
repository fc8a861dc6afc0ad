import { isFigure, show } from './figures.js';
import type { Origin } from './origin.js';
import type { Scale } from './scale.js';
import type { Table } from './section.js';
import type { Outcome, Verdict } from './verdict.js';

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

function tableLines({ head, rows }: Table): readonly string[] {
  return ['', row(head), row(head.map(() => '---')), ...rows.map(row)];
}

/** One section of the page, in Markdown. */
export function sectionLines(title: string, outcome: Outcome): readonly string[] {
  const heading = [`## ${title}`, ''];
  if ('failed' in outcome) return [...heading, `**Failed**: ${outcome.failed}`];
  const notes = outcome.notes.map((note) => `- Not measured: ${note}`);
  return [
    ...heading,
    outcome.words,
    ...outcome.tables.flatMap(tableLines),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ];
}

const digitsOf = (bound: number): number => (bound < 20 ? 2 : 0);

/** Shows a figure beside its bound; never a missed one as if it were the bound. */
function figureText({ goal, found, verdict }: Verdict): string {
  if (!isFigure(found)) return '–';
  const text = show(found, digitsOf(goal.bound));
  return verdict === 'missed' && Number(text) === goal.bound ? show(found, 4) : text;
}

/** Why a goal is missed or not measured, where that is known. */
function reasonLines({ goal, found, verdict }: Verdict): readonly string[] {
  const reason = !isFigure(found) ? found.why : verdict === 'missed' ? goal.reason : undefined;
  return reason === undefined ? [] : [`- ${goal.section}, ${goal.what}: ${reason}`];
}

/** All goals in one table, and reasons below it. */
export function goalLines(verdicts: readonly Verdict[]): readonly string[] {
  const count = (wanted: Verdict['verdict']): number => verdicts.filter(({ verdict }) => verdict === wanted).length;
  const reasons = verdicts.flatMap(reasonLines);
  return [
    '## Goals',
    '',
    `${verdicts.length} goals: ${count('met')} met, ${count('missed')} missed, ${count('not measured')} not measured.`,
    ...tableLines({
      head: ['section', 'goal', 'bound', 'figure', 'verdict', 'runs'],
      rows: verdicts.map((each) => [
        each.goal.section,
        each.goal.what,
        `${each.goal.comparison} ${each.goal.bound} ${each.goal.unit}`,
        figureText(each),
        each.verdict === 'met' ? 'met' : `**${each.verdict}**`,
        isFigure(each.found) ? each.found.runs : 0,
      ]),
    }),
    ...(reasons.length === 0 ? [] : ['', ...reasons]),
  ];
}

/** What was measured, where and how. `end` is what the bench found when it was through. */
export function originLines(begin: Origin, end: Origin, scale: Scale): readonly string[] {
  const dirty = [...new Set([...begin.changed, ...end.changed])].sort();
  return [
    `Commit ${begin.commit}${begin.commit === end.commit ? '' : `, **and ${end.commit} at the end**`}.`,
    ...(dirty.length === 0
      ? []
      : [`**The tree is dirty**: ${dirty.length} files differ from the commit: ${dirty.slice(0, 10).join(', ')}.`]),
    `${begin.machine}. Load average ${begin.load.toFixed(2)} before the run.${begin.load < 1 ? '' : ' **The machine was not idle**: the figures are no verdicts.'}`,
    `Medians of ${scale.rounds} rounds, candidates in turn; fewer where a run takes many seconds, as the goals say. A ratio is the median of the ratios of each round.`,
  ];
}

const [begin, end] = ['<!-- begin:figures -->', '<!-- end:figures -->'];

/** Puts figures between the marks of a page. Throws an Error when the page has not both. */
export function replaceFigures(page: string, lines: readonly string[]): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the page has no ${begin} and ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${lines.join('\n')}\n\n${page.slice(to)}`;
}
