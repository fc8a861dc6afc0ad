import { neutralGroup } from '../define.js';
import { callsAtOnce } from './export.js';
import { inputFileOption, wholeOption } from '../kinds.js';

/** Flags of a command that takes many ids. */
export const idsFlags = neutralGroup('IDS', {
  ids: inputFileOption({
    summary: 'Ask for each relation in this file, or in stdin by -: an Id a line, or the column Id of CSV or JSON.',
  }),
  concurrency: wholeOption(callsAtOnce)({
    summary: 'With --ids, calls under way at once: 1 to 16; the default is 3.',
    env: 'RELCTL_CONCURRENCY',
  }),
});
