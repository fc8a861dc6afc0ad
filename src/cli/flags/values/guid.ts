import { Args, Flags, type Interfaces } from '@oclif/core';
import { isGuid } from '../../../lexical/guid.js';
import { usage } from '../../../errors/usage.js';

/** An argument that holds the GUID of a record; its form is checked by guidOf before anything is sent. */
export const guidArg = (description: string): Interfaces.Arg<string> => Args.string({ required: true, description });

/** A flag that holds a user's GUID. */
export const userFlag = Flags.string({
  summary: "User to ask for; the default is the profile's UserId.",
  helpValue: 'GUID',
});

/** The GUID that an argument or flag holds. Throws `usage` that names it. */
export function guidOf(text: string, name: string): string {
  if (isGuid(text)) return text;
  throw usage(name, `${name} takes a GUID such as 6f9619ff-8b86-d011-b42d-00c04fc964ff, not '${text}'`);
}
