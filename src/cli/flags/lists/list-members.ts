import { neutral, option, type Values } from '../define.js';
import { textOption } from '../kinds.js';

const helpGroup = 'OUTPUT';

/** Says that lists stay what they are. */
export const noMember = 'none';

/** What becomes of lists within records. The fingerprint of an export holds what they mean together. */
export const listMemberFlags = neutral({
  explode: option((text) => text.trim())({
    summary:
      'A row for each item of this list of the records, such as TelephoneNumbers; none leaves lists as they are.',
    helpValue: 'MEMBER',
    helpGroup,
  }),
  join: textOption({
    summary: "Lists as text: the texts of their items with this between them, such as '; '.",
    helpValue: 'TEXT',
    helpGroup,
  }),
});

/** Values of those flags. */
export type ListMemberFlags = Values<typeof listMemberFlags>;
