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
