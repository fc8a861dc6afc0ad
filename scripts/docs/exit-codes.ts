import { kinds, type KindFacts } from '../../src/core/errors/kinds.js';
import { code, table } from './markdown.js';

/** The table of exit codes, from the one table of failures. */
export function exitCodesText(): string {
  const failures = Object.entries<KindFacts>(kinds).sort(([, a], [, b]) => a.exitCode - b.exitCode);
  return table(
    ['code', 'kind', 'layer', 'meaning'],
    [
      ['0', '', '', 'done; an empty list is done, and so is a list whose reader went away'],
      ...failures.map(([kind, { exitCode, layer, words }]) => [String(exitCode), code(kind), layer, words]),
    ],
  );
}
