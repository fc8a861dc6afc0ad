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

const cut = (text: string, letters: number): string => Array.from(text).slice(0, letters).join('').trim();

/** A name from the service as a title: in composed characters that can be seen, and not too long. */
const visible = (name: string): string =>
  cut(
    name
      .normalize('NFC')
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim(),
    longest,
  );

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

/** A title that is not taken yet: a field may be called like another one with its Id. */
function freeTitle(title: string, taken: ReadonlySet<string>): string {
  let free = title;
  while (taken.has(keyOf(free))) free = `${free}_`;
  return free;
}

/**
 * The columns of some fields, in their order. A title is the first name of the field that no other field has and that is not
 * reserved, else its first name with its Id, else its Id. No two titles are the same, whatever the case.
 * @param reserved names in small letters that no column may have
 */
export function columnsFor(fields: readonly NamedField[], reserved: ReadonlySet<string>): readonly FieldColumn[] {
  const shown = fields.map(({ id, names }) => ({
    id,
    names: names.map(visible).filter((name) => name !== ''),
  }));
  const counts = countsOf(shown);
  // A record of JavaScript would put a member whose name is a number before all others.
  const isOwn = (name: string): boolean =>
    counts.get(keyOf(name)) === 1 && !reserved.has(keyOf(name)) && !/^\d+$/.test(name);
  const withId = (name: string, id: string): string => `${cut(name, longest - 33)}_${bareId(id)}`;
  const taken = new Set<string>();
  return shown.map(({ id, names }) => {
    const [first] = names;
    const title = freeTitle(names.find(isOwn) ?? (first === undefined ? id : withId(first, id)), taken);
    taken.add(keyOf(title));
    return { title, id };
  });
}

/** A name as a word of SQL that needs no quotes behind a letter. */
export const asWord = (name: string): string => visible(name).replace(/[^\p{L}\p{M}\p{N}_]+/gu, '_');
