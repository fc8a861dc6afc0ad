/**
 * A value as decoded from the wire or given for encoding. Absent is a missing key, nil is `null`, anything else is a
 * value ("" and [] included). `long`, `decimal`, `dateTime` and `guid` are text.
 */
export type Value = string | number | boolean | null | readonly Value[] | RecordValue;

/** A record: plain object whose own keys are the fields present, in the order of the contract, unknown ones last. */
export interface RecordValue {
  readonly [field: string]: Value;
}

/** True for a record, not for a list, nil or a scalar. */
export const isRecord = (value: Value | undefined): value is RecordValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for a list. Array.isArray alone would give any[] for a readonly array. */
export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);

/** About how many characters a value has as text: those of its texts and names, and one for anything else. */
export function charactersOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 1;
  for (const [name, inner] of Object.entries(value)) sum += (isList(value) ? 0 : name.length) + charactersOf(inner);
  return sum;
}

/** True for a value of more than so many characters, as charactersOf counts them. It may hold one value many times. */
export function isLongerThan(most: number, value: Value): boolean {
  const open: Value[] = [value];
  let left = most;
  for (let next = open.pop(); next !== undefined && left >= 0; next = open.pop()) {
    left -= typeof next === 'string' ? next.length : 1;
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (!isList(next)) left -= name.length;
      open.push(inner);
    }
  }
  return left < 0;
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
  value === undefined || value === null ? '(none)' : JSON.stringify(value);

interface ChangedValue {
  readonly name: string;
  readonly from?: Value | undefined;
  readonly to: Value | undefined;
}

/** What values were and what they are, in words: `Name was "a", is "b"; …`. */
export const movedWords = (moved: readonly ChangedValue[], was = 'was'): string =>
  moved.map(({ name, from, to }) => `${name} ${was} ${valueForMessage(from)}, is ${valueForMessage(to)}`).join('; ');
