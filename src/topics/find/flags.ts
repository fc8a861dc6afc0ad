import { connectionFlags, outputFlags, type CommonFlags, maxAgeFlag, mirrorFlags } from '../../kit/flags/common.js';
import { neutralGroup, option, switchFlag, type Values } from '../../kit/flags/define.js';
import { pagingFlags } from '../../lists/list-flags.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { nearest } from '../../core/text/nearest.js';
import { searchedTables } from '../../mirror/search/searched.js';

const types = searchedTables.map(({ type }) => type);

/** The types in a text, with commas between them. Throws `usage` for one that is none. */
function typesIn(text: string, flag: string): readonly string[] {
  const given = text.split(',').map((word) => word.trim());
  const unknown = given.find((word) => !types.includes(word));
  if (unknown === undefined) return given;
  throw usage(
    flag,
    `${flag}: there is no type '${unknown}'; there are ${types.join(', ')}`,
    perhaps(unknown, nearest(unknown, types)),
  );
}

/** Hits that are shown when no limit is given: more are no answer to a question. */
export const usualLimit = 20;

/** Flags of `find`. */
export const findFlags = {
  ...connectionFlags,
  ...mirrorFlags,
  ...maxAgeFlag,
  ...neutralGroup('FIND', {
    type: option(typesIn, { helpValue: 'A,B', offers: types })({ summary: 'Only these: relation,telephone,product.' }),
    gone: switchFlag({ summary: 'Show too what the service has no longer.' }),
  }),
  limit: {
    ...pagingFlags.limit,
    summary: `Show so many at most; the default is ${usualLimit}, and all for --count and --query.`,
    helpGroup: 'FIND',
  },
  ...outputFlags,
};

/** Values of those flags. */
export type FindFlags = Values<typeof findFlags> & CommonFlags;
