/** How old the reading may be by which a record is written, in milliseconds, unless --max-staleness says more or less. */
const usualMs = 60_000;

/** How old the reading may be by which a record is written, in milliseconds. */
export const stalenessMs = (flags: Readonly<Record<string, unknown>>): number =>
  typeof flags['max-staleness'] === 'number' ? flags['max-staleness'] : usualMs;
