/**
 * A value as decoded from the wire or given for encoding. Absent is a missing key, nil is `null`, anything else is a
 * value ("" and [] included). `long`, `decimal`, `dateTime` and `guid` are text.
 */
export type Value = string | number | boolean | null | readonly Value[] | RecordValue;

/** A record: plain object whose own keys are the fields present, in the order of the contract, unknown ones last. */
export interface RecordValue {
  readonly [field: string]: Value;
}

/** What a member without a value is. */
export type NoValue = 'absent' | 'nil';

/** Whether a member has a value, and what it is without one. */
export const stateOf = (value: Value | undefined): NoValue | 'value' =>
  value === undefined ? 'absent' : value === null ? 'nil' : 'value';

/** True for a value, false for what is absent or nil. */
export const hasValue = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null;

/** True for a record, not for a list, nil or a scalar. */
export const isRecord = (value: Value | undefined): value is RecordValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for a list. Array.isArray alone would give any[] for a readonly array. */
export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);

/** What stands at a path within a record; undefined when something on the way is absent or nil. */
export function valueAt(record: RecordValue, path: readonly string[]): Value | undefined {
  const [first] = path;
  if (first !== undefined && path.length === 1) {
    const own = record[first];
    // What objects have by birth is neither of these.
    if (typeof own === 'string' || typeof own === 'boolean' || typeof own === 'number' || own === null) return own;
  }
  let value: Value | undefined = record;
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** About how many characters a value has as text: those of its texts and names, and one for anything else. */
export function charactersOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (isList(value)) return value.reduce<number>((sum, inner) => sum + charactersOf(inner), 1);
  // Entries would be an array for each member: a tenth of the memory that pages of 100 rows take on their way.
  return Object.keys(value).reduce((sum, name) => sum + name.length + charactersOf(value[name] ?? null), 1);
}

/** True for a value of more than so many characters, as charactersOf counts them. It may hold one value many times. */
export function isLongerThan(most: number, value: Value): boolean {
  const open: Value[] = [value];
  let remaining = most;
  for (let next = open.pop(); next !== undefined && remaining >= 0; next = open.pop()) {
    remaining -= typeof next === 'string' ? next.length : 1;
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (!isList(next)) remaining -= name.length;
      open.push(inner);
    }
  }
  return remaining < 0;
}

/** An object without what is undefined in it, as a spread leaves nothing behind: `{ ...defined({ hint }) }`. */
export function defined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  // The same members, less some.
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** What something gives, or what stands for it where that throws, whatever the reason. */
export function orElse<T, I>(work: () => T, instead: I): T | I {
  try {
    return work();
  } catch {
    return instead;
  }
}

/** True for an object that is no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value in words. */
export const valueForMessage = (value: Value | undefined): string =>
  hasValue(value) ? JSON.stringify(value) : '(none)';

/** What a value was and what it is. */
export interface ChangedValue {
  readonly name: string;
  /** Undefined where the state before cannot be read. */
  readonly from?: Value | undefined;
  readonly to: Value | undefined;
}

/** What values were and what they are, in words: `Name was "a", is "b"; …`. */
export const movedWords = (moved: readonly ChangedValue[], was = 'was'): string =>
  moved.map(({ name, from, to }) => `${name} ${was} ${valueForMessage(from)}, is ${valueForMessage(to)}`).join('; ');

/** What a text says as JSON; undefined when it is no JSON, which no JSON text means. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function endOfString(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end;
  }
}

/**
 * What a text says as JSON, and the same with the text of each number in its place: a number has fewer digits than may be
 * written. Undefined when it is no JSON.
 */
export function jsonWithLetters(json: string): readonly [value: unknown, letters: unknown] | undefined {
  const value = jsonOf(json);
  if (value === undefined) return undefined;
  const parts: string[] = [];
  for (let at = 0; at < json.length;) {
    const open = json.indexOf('"', at);
    const between = json.slice(at, open === -1 ? undefined : open);
    parts.push(between.replace(/-?\d[\d.eE+-]*/g, '"$&"'));
    if (open === -1) break;
    at = endOfString(json, open) + 1;
    parts.push(json.slice(open, at));
  }
  return [value, JSON.parse(parts.join(''))];
}

/** Items in arrays of at most so many. */
export function* inBatches<T>(items: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const mostCharactersOfBatch = 4 * 1024 * 1024;

/** Records in arrays of at most so many; fewer where their texts are long. */
export function* recordBatches(records: Iterable<RecordValue>, size: number): Generator<readonly RecordValue[]> {
  let batch: RecordValue[] = [];
  let characters = 0;
  for (const record of records) {
    batch.push(record);
    characters += charactersOf(record);
    if (batch.length < size && characters < mostCharactersOfBatch) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** How a cell of a row is written. */
export interface CellLayout {
  readonly member: string;
  readonly before: string;
  /** The cell for a value of the member; undefined when it is left out, with what stands before it. */
  readonly of: (value: Value | undefined) => string | undefined;
  /** A text that is not empty is the cell, as the layout of the row says; without it `of` makes the cell of a text. */
  readonly isCopied: boolean;
}

/** How texts are copied to cells. */
export interface CopiedTexts {
  /** What stands around each of them. */
  readonly around: string;
  /** What stands around a text with one of the characters that have escapes. */
  readonly wrap: string;
  /** What stands for a character of ASCII; for itself where it calls for `wrap` only. */
  readonly escapes: Readonly<Record<string, string>>;
  /** The first and the last of characters with which the row of a record is made by its format. */
  readonly outside: readonly (readonly [first: number, last: number])[];
}

/** How a row is put together of its cells. */
export interface RowLayout {
  readonly cells: readonly CellLayout[];
  /** Needed where a cell is copied. */
  readonly copied?: CopiedTexts;
  /** A character that stands in the place of the first one of the row. */
  readonly first?: string;
  readonly end: string;
}

/** Texts in JSON, as JSON.stringify writes them, but for some characters. */
export function jsonTexts(outside: CopiedTexts['outside']): CopiedTexts {
  const escapes: Record<string, string> = {};
  for (let code = 0; code < 0x60; code += 1) {
    const character = String.fromCharCode(code);
    const escape = JSON.stringify(character).slice(1, -1);
    if (escape !== character) escapes[character] = escape;
  }
  return { around: '"', wrap: '', escapes, outside };
}
