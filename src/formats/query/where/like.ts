const capitals = /[A-Z]+/g;

/** A text with the letters of ASCII alone made small: so SQLite compares by LIKE. */
const lowered = (text: string): string => text.replace(capitals, (letters) => letters.toLowerCase());

const special = /[\\^$.*+?()[\]{}|]/g;

/** A part of a pattern: a letter that stands for itself, `_` for any, `%` for any number of them. */
interface Part {
  readonly letter: string;
  readonly isPlain: boolean;
}

function partsOf(pattern: string, escape: string | undefined): readonly Part[] {
  const parts: Part[] = [];
  let isPlain = false;
  for (const letter of pattern) {
    if (!isPlain && letter === escape) isPlain = true;
    else {
      parts.push({ letter, isPlain: isPlain || !'%_'.includes(letter) });
      isPlain = false;
    }
  }
  return parts;
}

/** What stands between the `%` of a pattern, as regular expressions. None of them can match in two ways from one place. */
function segmentsOf(pattern: string, escape: string | undefined): readonly string[] {
  const segments = [''];
  for (const { letter, isPlain } of partsOf(pattern, escape)) {
    const last = segments.length - 1;
    if (!isPlain && letter === '%') segments.push('');
    else segments[last] = `${segments[last] ?? ''}${isPlain ? lowered(letter).replace(special, String.raw`\$&`) : '.'}`;
  }
  return segments;
}

/**
 * Makes the check whether a text is like a pattern, as SQLite does: `%` stands for any letters, `_` for one, and the case of
 * the letters of ASCII is not looked at. It takes no more time than the text is long for each part of the pattern.
 * @param escape the letter behind which `%` and `_` stand for themselves
 */
export function likeOf(pattern: string, escape: string | undefined): (text: string) => boolean {
  const [first = '', ...rest] = segmentsOf(pattern, escape);
  const last = rest.pop();
  if (last === undefined) {
    const whole = new RegExp(`^${first}$`, 'su');
    return (text) => whole.test(lowered(text));
  }
  const start = new RegExp(first, 'suy');
  const inside = rest.map((segment) => new RegExp(segment, 'sug'));
  const end = new RegExp(`${last}$`, 'sug');
  return (text) => {
    const small = lowered(text);
    let at = 0;
    for (const segment of [start, ...inside, end]) {
      segment.lastIndex = at;
      if (!segment.test(small)) return false;
      at = segment.lastIndex;
    }
    return true;
  };
}
