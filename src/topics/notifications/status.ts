import { forMessage } from '../../lexical/text.js';

/** The notifications of a user. */
export interface Count {
  /** Name or Id of the user. */
  readonly name: string;
  readonly value: number;
}

/** More than so many notifications of one user are a warning, or critical. */
export interface Thresholds {
  readonly warn: number | undefined;
  readonly crit: number | undefined;
}

/** The status of a monitoring plug-in. */
export interface Status {
  /** 0 is OK, 1 a warning, 2 critical. */
  readonly code: 0 | 1 | 2;
  /** One line of text, with figures behind `|`, without its line feed. */
  readonly line: string;
}

const words = ['OK', 'WARNING', 'CRITICAL'] as const;

const mostNamed = 5;

const exceeds = (value: number, threshold: number | undefined): boolean => threshold !== undefined && value > threshold;

function codeOf(value: number, { warn, crit }: Thresholds): Status['code'] {
  if (exceeds(value, crit)) return 2;
  return exceeds(value, warn) ? 1 : 0;
}

/** Text of a status: what stands behind `|` is figures, and a line is all that is read. */
const plain = (text: string): string => forMessage(text, 60).replaceAll('|', '/');

/** A figure as the plug-in interface has it: label, value, thresholds, least value. */
function figure({ name, value }: Count, { warn, crit }: Thresholds): string {
  const label = plain(name).replaceAll('=', '-').replaceAll("'", "''");
  return `'${label}'=${value};${warn ?? ''};${crit ?? ''};0`;
}

/** Those that are told by name: what exceeds a threshold, most first. */
function told(counts: readonly Count[], thresholds: Thresholds): string {
  const found = counts
    .filter(({ value }) => codeOf(value, thresholds) > 0)
    .toSorted((left, right) => right.value - left.value);
  const named = found.slice(0, mostNamed).map(({ name, value }) => `${plain(name)} has ${value}`);
  const more = found.length > mostNamed ? [`${found.length - mostNamed} more users exceed`] : [];
  return [...named, ...more].join(', ');
}

/** The status of the notifications of users, by the interface of monitoring plug-ins: the worst of them decides. */
export function statusOf(counts: readonly Count[], thresholds: Thresholds): Status {
  const code = Math.max(...counts.map(({ value }) => codeOf(value, thresholds))) as Status['code'];
  const total = counts.reduce((sum, { value }) => sum + value, 0);
  const all = `${counts.length} ${counts.length === 1 ? 'user' : 'users'}, ${total} notifications`;
  const text = code === 0 ? all : `${told(counts, thresholds)}; ${all}`;
  const figures = [`total=${total};;;0`, ...counts.map((count) => figure(count, thresholds))];
  return { code, line: `NOTIFICATIONS ${words[code]}: ${text} | ${figures.join(' ')}` };
}
