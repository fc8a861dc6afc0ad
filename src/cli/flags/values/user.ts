import { idOption } from '../kinds.js';

/** A flag that holds a user's GUID. */
export const userFlag = idOption('user')({ summary: "User to ask for; the default is the profile's UserId." });
