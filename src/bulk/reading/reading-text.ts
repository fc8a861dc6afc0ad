import { hash } from 'node:crypto';
import type { BulkFlags } from '../flags.js';
import type { Reading } from './read-row.js';

/** What decides what the rows mean, as one text; of what the command line says for all rows a hash, for it may be long. */
export function readingText({ columns, targets, comma, nullAs, constants }: Reading, flags: BulkFlags): string {
  // What finds a record says nothing of what is written.
  const names = targets.map((target) => (target.kind === 'ignored' || target.kind === 'finds' ? null : target.name));
  const { sheet, delimiter, 'input-format': form } = flags;
  const said = hash('sha256', JSON.stringify(constants));
  return JSON.stringify({ columns, targets: names, constants: said, comma, nullAs, sheet, delimiter, form });
}
