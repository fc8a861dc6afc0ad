const words: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, on: true, '1': true },
  ...{ false: false, no: false, n: false, off: false, '0': false },
};

/** What `readYesNo` reads, for a message. */
export const yesNoWords = 'true or false, yes or no, y or n, on or off, 1 or 0';

/** True or false as people write it, in any case of letters: also yes and no, y and n, on and off, 1 and 0; undefined for anything else. */
export function readYesNo(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return Object.hasOwn(words, lower) ? words[lower] : undefined;
}

/** The boolean that a text stands for in XML Schema (`true`, `false`, `1`, `0`), or undefined. */
export function parseBoolean(text: string): boolean | undefined {
  switch (text) {
    case 'true':
    case '1':
      return true;
    case 'false':
    case '0':
      return false;
    default:
      return undefined;
  }
}
