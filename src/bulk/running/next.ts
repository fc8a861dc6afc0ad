import type { Tally } from '../../batches/outcome.js';
import type { Remedy } from '../../errors/relctl-error.js';
import type { Checked } from '../check.js';
import type { BulkRun } from '../given.js';

/** What is asked of a batch that ended with rows that are neither done nor unchanged. */
type Ended<S> = Pick<BulkRun<S>, 'flags' | 'text' | 'files' | 'undoes' | 'lister'>;

/** What to try for rows of which it is not known whether they were done. */
function ofUnknown<S>({ flags, text, files, lister }: Ended<S>): Remedy {
  if ((text.looking ?? lister) !== undefined && flags['settle'] !== true) return { hint: '--settle' };
  const names = `${files.results} names the record of each unknown row: look at it there`;
  return { hint: '', advice: `${names}; --resume --retry-unknown sends all of them again.` };
}

/**
 * What to try when a batch has ended, best first: send what was not carried out, find out what is unknown, mend the rest.
 * @param checked a row with a mistake stays as it is, whatever is tried
 */
export function nextStep<S>(run: Ended<S>, tally: Tally, { wrong }: Pick<Checked, 'wrong'>): Remedy {
  if (tally.failed + tally['not sent'] > wrong.size) return { hint: '--resume' };
  if (tally.unknown > 0) return ofUnknown(run);
  // The rows of an undo are not those of a file.
  if (run.undoes !== undefined) return { hint: '' };
  return { hint: '', advice: 'Mend the rows that are left in a file of their own, and give it by --file.' };
}
