import { usage } from '../errors/usage.js';
import type { InputBytes } from './bytes.js';

/** What separates cells, by the names that --delimiter takes. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

/** The name of a delimiter. */
export type DelimiterName = keyof typeof delimiters;

const names = Object.keys(delimiters) as readonly DelimiterName[];

/** What separates the cells of a table, by its header. Throws `usage` where that holds several delimiters outside quotes. */
export function delimiterOf({ name, head }: Pick<InputBytes, 'name' | 'head'>): DelimiterName {
  // A quotation mark that is not closed is a mistake of the file, wherever it ends.
  const [header = ''] = /^(?:"[^"]*"?|[^"\n])*/.exec(head.toString('utf8')) ?? [];
  const bare = header.replaceAll(/"[^"]*"?/g, '');
  const held = names.filter((each) => bare.includes(delimiters[each]));
  const [first = 'comma', second] = held;
  if (second === undefined) return first;
  throw usage('--delimiter', `the header of ${name} has ${held.join(' and ')}: say what separates its cells`, {
    hint: `--delimiter ${first}`,
  });
}
