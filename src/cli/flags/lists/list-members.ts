import { neutralGroup, option, type Values } from '../define.js';
import { textOption } from '../kinds.js';

/** Says that lists stay what they are. */
export const noMember = 'none';

/** What becomes of lists within records. The fingerprint of an export holds what they mean together. */
export const listMemberFlags = neutralGroup('OUTPUT', {
  explode: option((text) => text.trim())({
    summary:
      'A row for each item of this list of the records, such as TelephoneNumbers; none leaves lists as they are.',
    helpValue: 'MEMBER',
  }),
  join: textOption({
    summary: "Lists as text: the texts of their items with this between them, such as '; '.",
    helpValue: 'TEXT',
  }),
});

/** Values of those flags. */
export type ListMemberFlags = Values<typeof listMemberFlags>;
