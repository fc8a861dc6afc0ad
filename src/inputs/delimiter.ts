import { usage } from '../errors/usage.js';
import type { InputBytes } from './bytes.js';

/** What separates cells, by the names that --delimiter takes. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

/** The name of a delimiter. */
export type DelimiterName = keyof typeof delimiters;

const names = Object.keys(delimiters) as readonly DelimiterName[];

/** Rows that are looked at besides the header. */
const mostRows = 20;

type Counts = Readonly<Record<DelimiterName, number>>;

/** How often each delimiter stands outside quotes, for each of the first rows. The last of them may not be whole. */
function countsOf(text: string): readonly Counts[] {
  const rows: Record<DelimiterName, number>[] = [];
  let counts = { comma: 0, semicolon: 0, tab: 0, pipe: 0 };
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n') {
      rows.push(counts);
      if (rows.length > mostRows) return rows;
      counts = { comma: 0, semicolon: 0, tab: 0, pipe: 0 };
    } else {
      const name = names.find((each) => delimiters[each] === character);
      if (name !== undefined) counts[name] += 1;
    }
  }
  return rows.length === 0 ? [counts] : rows;
}

/**
 * What separates the cells of a table, by its header; where that holds several delimiters, the one that the first rows hold
 * as often. Throws `usage` where several may be meant.
 */
export function delimiterOf({ name, head }: Pick<InputBytes, 'name' | 'head'>): DelimiterName {
  const [header, ...rows] = countsOf(head.toString('utf8'));
  const held = names.filter((each) => (header?.[each] ?? 0) > 0);
  if (held.length <= 1) return held[0] ?? 'comma';
  const steady = held.filter((each) => rows.every((counts) => counts[each] === header?.[each]));
  const [only] = steady;
  if (only !== undefined && steady.length === 1 && rows.length > 0) return only;
  throw usage('--delimiter', `${name} may have ${(steady.length > 1 ? steady : held).join(' or ')} between its cells`, {
    advice: `Say which one: --delimiter ${(steady[0] ?? held[0]) as string}`,
  });
}
