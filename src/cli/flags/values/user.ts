import { guidOption } from '../kinds.js';

/** A flag that holds a user's GUID. */
export const userFlag = guidOption({ summary: "User to ask for; the default is the profile's UserId." });
