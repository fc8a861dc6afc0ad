import { usage } from '../errors/usage.js';
import { charactersOf, isLongerThan, type RecordValue, type Value } from '../plain/value.js';
import type { Expression } from './expression.js';
import { ResultList, ResultValue, type Result } from './result.js';

/** Makes what a query gives of records. */
export interface Answer {
  /** Takes records. Throws `usage` for what the query cannot be asked of, and `local`. */
  add(records: readonly RecordValue[]): void;
  /** What it gives of all of them. Throws as `add` does. */
  result(): Result;
  close(): void;
}

/** Characters of what a query needs all at once, and of one value that it gives: they take several times as much memory. */
const mostCharacters = 32 * 1024 * 1024;

/** A value takes as much memory as so many characters beside its own. */
const valueCharacters = 32;

const advice =
  'A query that begins with [].{a: A} is asked of one record after the other: [].{a: A} | sort_by(@, &a). Or drop records before, by --where.';

const tooMuch = (what: string): Error =>
  usage('--query', `${what} more than ${mostCharacters / 1024 / 1024} MiB`, { advice });

/** Values that a query needs all at once. */
class Held {
  readonly all: Value[] = [];
  #characters = 0;

  add(values: readonly Value[]): void {
    for (const value of values) {
      this.#characters += charactersOf(checked(value)) + valueCharacters;
      this.all.push(value);
    }
    if (this.#characters > mostCharacters) throw tooMuch('what the query needs of the records at once is');
  }
}

/** The same value. Throws `usage` for one that is too long to be written. */
function checked(value: Value): Value {
  if (isLongerThan(mostCharacters, value)) throw tooMuch('one value that the query gives has');
  return value;
}

/** The answer that is a value. Throws `usage` where it, or an item of it, is too long to be written. */
function answered(value: Value): Result {
  const result = new ResultValue(value);
  for (const item of result.items()) checked(item);
  return result;
}

/** What a query gives of the one record that is added; of nil where none is. */
export function answerOfOne({ of }: Expression): Answer {
  let one: RecordValue | undefined;
  return {
    add(records) {
      one ??= records[0];
    },
    result: () => answered(of(one ?? null)),
    close: () => undefined,
  };
}

/** What it gives of a list that it needs as a whole. */
function answerOfWhole({ of }: Expression): Answer {
  const held = new Held();
  return {
    add: (records) => held.add(records),
    result: () => answered(of(held.all)),
    close: () => undefined,
  };
}

/** What a query gives of a list. Where it looks at one record after the other, none of them is kept. */
export function answerOfList(expression: Expression): Answer {
  const { inSlices } = expression;
  if (inSlices === undefined) return answerOfWhole(expression);
  const { first, rest, most } = inSlices;
  if (rest !== undefined) {
    const held = new Held();
    return {
      add: (records) => held.add(first(records).slice(0, most - held.all.length)),
      result: () => answered(rest(held.all)),
      close: () => undefined,
    };
  }
  const list = new ResultList();
  return { add: (records) => list.add(first(records).map(checked)), result: () => list, close: () => list.close() };
}
