// control characters are what is looked for
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]/gu;

/** Text for an error message: characters that one cannot see become `\uXXXX`, and it is cut at `most` characters. */
export function forMessage(text: string, most = 40): string {
  const characters = Array.from(text.slice(0, most * 2 + 2));
  const cut = characters.length > most || text.length > most * 2 + 2 ? `${characters.slice(0, most).join('')}…` : text;
  return cut.replace(
    unseen,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

/** An address as it may be shown: a user name and a password in it are left out, and a text with an @ that is not a URL is not shown. */
export function addressForMessage(text: string): string {
  if (!URL.canParse(text)) return text.includes('@') ? '(no address)' : text;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  [url.username, url.password] = ['', ''];
  return url.href;
}

type IsCut = (unit: number) => boolean;

/** True for the white space of XML. */
export const isXmlSpace: IsCut = (unit) => unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d;

const isZero: IsCut = (unit) => unit === 0x30;

/** A text without what is cut at its end. An expression such as ` +$` would look at each run within the text again and again. */
export function withoutEnd(text: string, isCut: IsCut): string {
  let end = text.length;
  while (end > 0 && isCut(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A text without what is cut at its beginning and at its end. */
export function withoutEnds(text: string, isCut: IsCut): string {
  const cut = withoutEnd(text, isCut);
  let from = 0;
  while (from < cut.length && isCut(cut.charCodeAt(from))) from += 1;
  return cut.slice(from);
}

/** Digits without the zeros that they end with. */
export const withoutLastZeros = (digits: string): string => withoutEnd(digits, isZero);

/** UTF-16 units by which a text may grow before it is made one piece, as a power of two. */
const pieceBits = 20;

/**
 * A text with more behind it. What comes in millions of small pieces would be kept as a tree of them, at 32 bytes each, until
 * something looks at its characters: one of them is looked at now and then.
 */
export function append(text: string, more: string): string {
  const whole = text + more;
  const isDue = whole.length >>> pieceBits !== text.length >>> pieceBits;
  return isDue && Number.isNaN(whole.charCodeAt(0)) ? '' : whole;
}

/**
 * The lines of a text that goes on behind a line that was begun; the last is a line that is begun, or empty. What was begun
 * is not looked at again: a line may come in thousands of pieces.
 */
export function linesAfter(pending: string, text: string): string[] {
  const lines = text.split('\n');
  lines[0] = pending + (lines[0] ?? '');
  return lines;
}

/** ASCII has neither accents nor forms to bring together. */
const ascii = /^[\u0000-\u007f]*$/;

/** Latin letters: none of them makes another one with its neighbour, so that each is folded by itself. */
const latin = /^[\u0000-\u024f]*$/;
const accented = /[\u0080-\u024f]/g;
const folded = new Map<string, string>();

let marks: RegExp | undefined;

function foldWhole(text: string): string {
  // Made when it is needed: the classes of Unicode take a millisecond.
  marks ??= /\p{M}/gu;
  return text.normalize('NFD').replace(marks, '').toLowerCase().normalize('NFC');
}

function foldLetter(letter: string): string {
  const known = folded.get(letter);
  if (known !== undefined) return known;
  const made = foldWhole(letter);
  folded.set(letter, made);
  return made;
}

/** A text in lower case and without accents, so that texts that people take for the same are equal: Joëlle is joelle. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  if (latin.test(text)) return text.replace(accented, foldLetter).toLowerCase();
  return foldWhole(text);
}

/**
 * Makes what writes cells by RFC 4180: quoted when they hold the delimiter, a quote or a line break; quotes doubled; otherwise to
 * the character.
 */
export function csvQuote(delimiter: string): (cell: string) => string {
  // A bracket or a circumflex would be no character of the class but part of its form.
  const needsQuotes = new RegExp(`["\\r\\n${delimiter.replace(/[\\\]^-]/, '\\$&')}]`);
  return (cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
}

/** A word of a command line, quoted where a shell would take it for something else; zsh looks for a program behind `=`. */
export const shellWord = (word: string): string =>
  /^(?!=)[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** A command of this program as a shell takes it, from the words that follow its name. */
export const shellCommand = (words: readonly string[]): string => ['relctl', ...words].map(shellWord).join(' ');

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\' };

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

const escaped = (character: string): string =>
  named[character] ?? (invisible.test(character) ? Array.from(Buffer.from(character), octal).join('') : character);

/**
 * The same command line for a person, who may copy it from a terminal: what that does not show as it is, such as a line break,
 * is written by escapes, as bash and zsh read them in `$'…'`.
 * @param line whose words are as shellWord writes them
 */
export const seenCommand = (line: string): string =>
  line.replace(/\\'|'[^']*'/g, (part) => (invisible.test(part) ? `$${Array.from(part, escaped).join('')}` : part));

// Separators of any system, what Windows forbids, and what one cannot see.
const forbidden = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;
const mostBytes = 200;

const isSpaceOrDot = (unit: number): boolean => unit === 0x2e || /\s/.test(String.fromCharCode(unit));

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function shortened(name: string): string {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : '';
  const room = mostBytes - bytesOf(ending);
  let stem = '';
  let bytes = 0;
  for (const character of name.slice(0, name.length - ending.length)) {
    bytes += bytesOf(character);
    if (bytes > room) return stem.trimEnd() + ending;
    stem += character;
  }
  return stem + ending;
}

/**
 * A name that somebody else chose, as the name of a file in a folder of ours: its last part only, without characters that
 * a file system or a terminal takes for something else, never hidden, never a device, at most 200 bytes of UTF-8.
 */
export function safeFileName(name: string, fallback: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const clean = withoutEnds(last.replace(forbidden, '_'), isSpaceOrDot);
  if (clean === '' || /^_+$/.test(clean)) return fallback;
  return shortened(devices.test(clean) ? `_${clean}` : clean);
}

/** The known name that a text is, or the only one that it is in another case of letters; undefined for none or several. */
export function inAnyCase<N extends string>(typed: string, known: readonly N[]): N | undefined {
  const exact = known.find((name) => name === typed);
  if (exact !== undefined) return exact;
  const lower = typed.toLowerCase();
  const [only, ...others] = known.filter((name) => name.toLowerCase() === lower);
  return others.length === 0 ? only : undefined;
}

function isTransposition(left: string, right: string, [i, j]: readonly [number, number]): boolean {
  return i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0;

function editDistance(left: string, right: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substitution = at(row, j - 1) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const swap = isTransposition(left, right, [i, j]) ? at(before, j - 2) + 1 : substitution;
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, substitution, swap));
    }
    before = row;
    row = next;
  }
  return at(row, right.length);
}

/**
 * The known name nearest to what was typed, for "did you mean": at most a third of its letters may differ. Case is not
 * looked at. Undefined when nothing is near.
 * @param most limit of letters that may differ
 */
export function nearest(typed: string, known: readonly string[], most = Number.POSITIVE_INFINITY): string | undefined {
  const lowered = typed.slice(0, 64).toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(lowered, name.toLowerCase());
    const allowed = Math.min(most, Math.max(1, Math.floor(name.length / 3)));
    if (distance <= allowed && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { name, distance: distance };
    }
  }
  return best?.name;
}

/** What two names have in common that differ in the form of their characters, or in the case of letters, alone. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** True for names that differ in the form of their characters alone: é may be one character or two. */
export const isSameName = (left: string, right: string): boolean => left.normalize('NFC') === right.normalize('NFC');
