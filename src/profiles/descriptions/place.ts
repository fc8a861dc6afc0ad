import { join } from 'node:path';

/** The file in which the description of a profile is kept. @param folder that of the profiles */
export const fileOfDescription = (folder: string, profile: string): string =>
  join(folder, 'wsdl', `${encodeURIComponent(profile)}.json`);
