import { join } from 'node:path';

/** The folder of the mirrors, with a file for each profile. */
const mirrorsFolder = (state: string): string => join(state, 'mirrors');

/**
 * The file of the mirror of a profile. A name of a profile is made of letters, digits and . _ - @, and is no path.
 * @param state folder of the state of relctl
 */
export const mirrorFileOf = (state: string, profile: string): string => join(mirrorsFolder(state), `${profile}.db`);
