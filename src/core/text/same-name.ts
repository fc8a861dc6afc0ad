/** What two names have in common that differ in the form of their characters, or in the case of letters, alone. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** True for names that differ in the form of their characters alone: é may be one character or two. */
export const isSameName = (left: string, right: string): boolean => left.normalize('NFC') === right.normalize('NFC');
