import { connectionFlags } from '../../cli/flags/connection.js';
import { csvFlags } from '../../cli/flags/csv.js';
import { option, switchFlag, type Values } from '../../cli/flags/define.js';
import { wholeOption } from '../../cli/flags/kinds.js';
import { maxAgeFlag, mirrorFlags } from '../../cli/flags/mirror.js';
import { formatNamed, outputFlags, type CommonFlags } from '../../cli/flags/output.js';
import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { boolean, guid, int, string } from '../../contract/scalars.js';
import { formatNames } from '../../output/formats/index.js';

/** Flags of `relation tree`; the format `tree` exists only where trees are drawn. */
export const treeFlags = {
  depth: wholeOption({ least: 1, most: 1_000_000 })({ summary: 'Levels to show below the relation; all without it.' }),
  live: switchFlag({ summary: 'Ask the service, also where there is a mirror.' }),
  ...connectionFlags,
  ...mirrorFlags,
  ...maxAgeFlag,
  ...outputFlags,
  output: option((text) => (text.toLowerCase() === 'tree' ? ('tree' as const) : formatNamed(text)))({
    char: 'o',
    summary: `Format: tree, or ${formatNames.join(', ')}.`,
    env: 'RELCTL_OUTPUT',
    helpValue: 'FORMAT',
    helpGroup: 'OUTPUT',
  }),
  ...csvFlags,
};

/** Values of those flags. */
export type TreeFlags = Values<typeof treeFlags> & CommonFlags;

/** A row of `relation tree`. */
export const TreeRow = recordWithoutPresence('RelationTreeRow', 'A relation in the tree below another one.', {
  Depth: req(int, 'Levels below the relation that was asked for, which has 0.'),
  ParentId: opt(guid, 'The relation above it.'),
  RelationId: req(guid, 'The relation.'),
  RelationshipId: opt(guid, 'What connects it to the one above.'),
  DisplayName: inRole('name', opt(string, 'Name as it is shown.')),
  Description: opt(string, 'Words about the relationship.'),
  DisplayCity: opt(string, 'City.'),
  IsOrganisation: opt(boolean, 'An organisation below the one above.'),
  IsContact: opt(boolean, 'A contact of the one above.'),
  IsEmployee: opt(boolean, 'An employee of the one above.'),
  IsInactive: opt(boolean, 'No longer in use.'),
  IsRepeat: req(boolean, 'It stands above already: what is below it is shown there.'),
  IsCircle: req(boolean, 'It stands above itself: the relationships between are a circle.'),
});
