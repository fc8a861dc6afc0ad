/** A field, and what it is called: the best name first. */
export interface NamedField {
  /** GUID in small letters. */
  readonly id: string;
  readonly names: readonly string[];
}

/** A column of a view, and the field whose values it shows. */
export interface FieldColumn {
  readonly title: string;
  readonly id: string;
}

const longest = 64;

/** An Id as a part of a name. */
export const bareId = (id: string): string => id.replaceAll('-', '');

/** A text without what is beyond some bytes; no character is cut. */
export function fitted(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  const letters = Array.from(text);
  let bytes = 0;
  const end = letters.findIndex((letter) => (bytes += Buffer.byteLength(letter)) > mostBytes);
  return letters.slice(0, end).join('').trim();
}

const cut = (text: string, letters: number): string => Array.from(text).slice(0, letters).join('').trim();

/** A name from the service as a title: in composed characters that can be seen, and not too long. */
const visible = (name: string, mostBytes = Infinity): string => {
  const seen = name
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  return fitted(cut(seen, longest), mostBytes);
};

/** Names that are the same to SQLite have the same key. */
const keyOf = (name: string): string => name.toLowerCase();

/** How many fields have each name. */
function countsOf(fields: readonly NamedField[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { names } of fields) {
    for (const key of new Set(names.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** What titles have to be. */
export interface TitleRules {
  /** Names in small letters that no column may have. */
  readonly reserved: ReadonlySet<string>;
  /** Longest name that the database keeps, in bytes. */
  readonly mostBytes?: number;
}

/** A title that is not taken yet: a field may be called like another one with its Id. */
function freeTitle(title: string, taken: ReadonlySet<string>, mostBytes: number): string {
  let free = title;
  for (let ends = 1; taken.has(keyOf(free)); ends += 1) free = `${fitted(title, mostBytes - ends)}${'_'.repeat(ends)}`;
  return free;
}

/**
 * The columns of some fields, in their order. A title is the first name of the field that no other field has and that is not
 * reserved, else its first name with its Id, else its Id. No two titles are the same, whatever the case.
 */
export function columnsFor(
  fields: readonly NamedField[],
  { reserved, mostBytes = Infinity }: TitleRules,
): readonly FieldColumn[] {
  const shown = fields.map(({ id, names }) => ({
    id,
    names: names.map((name) => visible(name, mostBytes)).filter((name) => name !== ''),
  }));
  const counts = countsOf(shown);
  // A record of JavaScript would put a member whose name is a number before all others.
  const isOwn = (name: string): boolean =>
    counts.get(keyOf(name)) === 1 && !reserved.has(keyOf(name)) && !/^\d+$/.test(name);
  const withId = (name: string, id: string): string =>
    `${fitted(cut(name, longest - 33), mostBytes - 33)}_${bareId(id)}`;
  const taken = new Set<string>();
  return shown.map(({ id, names }) => {
    const [first] = names;
    const title = freeTitle(names.find(isOwn) ?? (first === undefined ? id : withId(first, id)), taken, mostBytes);
    taken.add(keyOf(title));
    return { title, id };
  });
}

/** A name as a word of SQL that needs no quotes behind a letter. */
export const asWord = (name: string): string => visible(name).replace(/[^\p{L}\p{M}\p{N}_]+/gu, '_');
