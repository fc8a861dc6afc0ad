import type { RelctlError } from '../../../core/errors/relctl-error.js';
import { fold } from '../../../core/text/text.js';
import { hasValue, type RecordValue } from '../../../core/values/value.js';
import { mistakeAt, type QueryText, type Part, type Words } from '../tokens.js';
import type { NamedValue, Scope } from './names.js';
import { asDateTime, comparingIn, comparingOf, type Comparing, type Key, type Literal } from './values.js';

const capitals = /[A-Z]+/g;

/** A text with the letters of ASCII alone made small: so SQLite compares by LIKE. */
const lowered = (text: string): string => text.replace(capitals, (letters) => letters.toLowerCase());

const special = /[\\^$.*+?()[\]{}|]/g;

/** A part of a pattern: a letter that stands for itself, `_` for any, `%` for any number of them. */
interface PatternPart {
  readonly letter: string;
  readonly isPlain: boolean;
}

function partsOf(pattern: string, escape: string | undefined): readonly PatternPart[] {
  const parts: PatternPart[] = [];
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
function likeOf(pattern: string, escape: string | undefined): (text: string) => boolean {
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

/** Whether a condition holds of a record; null where nobody can say, because a value is missing. */
export type Test = (record: RecordValue) => boolean | null;

/** A literal in its place. */
export interface PlacedLiteral extends Part {
  readonly kind: 'literal';
  readonly literal: Literal;
}

/** A part of a condition, in its place: a value of each record, a literal, or what is true or false itself. */
export type Side =
  | PlacedLiteral
  | (Part & { readonly kind: 'value'; readonly name: string; readonly value: NamedValue; readonly isFolded?: boolean })
  | (Part & { readonly kind: 'test'; readonly test: Test });

const signs = {
  '=': (order: number) => order === 0,
  '==': (order: number) => order === 0,
  '<>': (order: number) => order !== 0,
  '!=': (order: number) => order !== 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
} as const;

/** A sign of a comparison. */
export type Sign = keyof typeof signs;

/** True for the sign of a comparison. */
export const isSign = (text: string): text is Sign => Object.hasOwn(signs, text);

/** True where any test is true; null where one is not known and none is true. */
export const anyOf =
  (tests: readonly Test[]): Test =>
  (record) => {
    let result: boolean | null = false;
    for (const test of tests) {
      const one = test(record);
      if (one === true) return true;
      if (one === null) result = null;
    }
    return result;
  };

/** The opposite of a test: what is not known stays so. */
export const opposite =
  (test: Test): Test =>
  (record) => {
    const outcome = test(record);
    return outcome === null ? null : !outcome;
  };

/** True where all tests are true; null where one is not known and none is false. */
export const allOf = (tests: readonly Test[]): Test => opposite(anyOf(tests.map(opposite)));

const kindWords: Readonly<Record<Comparing['name'], string>> = {
  ...{ number: 'a number', time: 'a time', guid: 'an Id', text: 'a text' },
  ...{ choice: 'one of some words', boolean: 'true or false', any: 'anything' },
};

const texts = comparingOf({ is: 'text', text: '' });

const words: ReadonlySet<Comparing['name']> = new Set(['text', 'choice']);
const likeable: ReadonlySet<Comparing['name']> = new Set(['text', 'choice', 'guid', 'any']);

const isFolded = (side: Side): boolean => side.kind === 'value' && side.isFolded === true;

/** Makes tests of the parts of a condition. Its methods throw `usage`, with the place, for what cannot be compared. */
export class Tests {
  readonly #text: QueryText;
  readonly #comparingOf: ReturnType<typeof comparingIn>;

  constructor(queryText: QueryText, scope: Scope) {
    this.#text = queryText;
    this.#comparingOf = comparingIn(scope);
  }

  mistake(part: Part, [message, suggestion, span = part]: Words): RelctlError {
    return mistakeAt(this.#text, part.start, [message, suggestion, span]);
  }

  test(side: Side): Test {
    if (side.kind === 'test') return side.test;
    if (side.kind === 'literal') {
      const { is, text } = side.literal;
      if (is === 'boolean') return () => text === 'true';
      throw this.mistake(side, ['expected a condition here, such as NAME = VALUE']);
    }
    const comparing = this.#comparing(side);
    if (comparing.name === 'boolean' || comparing.name === 'any') {
      const keyOf = this.#keyOf(side, this.#comparingOf({ kind: 'scalar', name: 'boolean' }) ?? comparing);
      return (record) => keyOf(record) as boolean | null;
    }
    const typed = this.#text.text.slice(side.start, side.end);
    const words = `${side.name} is ${kindWords[comparing.name]}, which is not true or false`;
    throw this.mistake(side, [words, `${typed} is not null`]);
  }

  compare(left: Side, sign: Part & { readonly text: Sign }, right: Side): Test {
    if ([left, right].some((side) => side.kind === 'literal' && side.literal.is === 'null'))
      throw this.mistake(sign, ['nothing is equal to null, or less or greater than it: use NAME is null']);
    const isEqual = /^(?:==?|<>|!=)$/.test(sign.text);
    const comparing = this.#common(left, right);
    if (!isEqual && !comparing.isOrdered)
      throw this.mistake(sign, [
        `${sign.text} compares values that have an order, and ${kindWords[comparing.name]} has none`,
      ]);
    if (isEqual) this.#refuseUnfolded(left, right);
    const [leftKey, rightKey, holds, { compare }] = [
      this.#keyOf(left, comparing),
      this.#keyOf(right, comparing),
      signs[sign.text],
      comparing,
    ];
    return (record) => {
      const [a, b] = [leftKey(record), rightKey(record)];
      return a === null || b === null ? null : holds(compare(a, b));
    };
  }

  isNull(side: Side): Test {
    if (side.kind === 'literal') return () => side.literal.is === 'null';
    if (side.kind === 'test') return (record) => side.test(record) === null;
    const { read } = side.value;
    return (record) => !hasValue(read(record));
  }

  isIn(side: Side, literals: readonly PlacedLiteral[]): Test {
    const [first] = literals;
    const isNull = literals.find(({ literal }) => literal.is === 'null');
    if (isNull !== undefined) throw this.mistake(isNull, ['nothing is equal to null: use NAME is null']);
    if (first === undefined) throw this.mistake(side, ['in ( ) has no values']);
    for (const literal of literals) this.#refuseUnfolded(side, literal);
    const all = literals.map((literal) => this.#common(side, literal));
    const [comparing = comparingOf(first.literal)] = all;
    if (all.some(({ name }) => name !== comparing.name))
      throw this.mistake(first, ['these values have different types']);
    const keyOf = this.#keyOf(side, comparing);
    const keys = literals.map((literal) => this.#literalKey(literal, comparing));
    const same = new Set(keys);
    // Numbers and times have several forms for one value.
    const hasForms = comparing.name === 'number' || comparing.name === 'time';
    return (record) => {
      const key = keyOf(record);
      if (key === null) return null;
      return same.has(key) || (hasForms && keys.some((each) => comparing.compare(each, key) === 0));
    };
  }

  isLike(side: Side, { pattern, escape }: { readonly pattern: PlacedLiteral; readonly escape?: PlacedLiteral }): Test {
    const { name } = this.#comparing(side);
    if (!likeable.has(name)) throw this.mistake(side, [`like compares a text, and this is ${kindWords[name]}`]);
    this.#refusePattern(side, pattern, escape);
    const keyOf = this.#keyOf(side, texts);
    const isLike = likeOf(pattern.literal.text, escape?.literal.text);
    return (record) => {
      const key = keyOf(record);
      return key === null ? null : isLike(String(key));
    };
  }

  #refusePattern(side: Side, pattern: PlacedLiteral, escape: PlacedLiteral | undefined): void {
    const refusal = texts.refusal(pattern.literal);
    if (refusal !== undefined) throw this.mistake(pattern, refusal);
    const { text } = pattern.literal;
    const letter = escape?.literal.text;
    if (escape !== undefined && !/^[^%_]$/su.test(letter ?? ''))
      throw this.mistake(escape, ['escape needs one character, which is not % or _']);
    if (letter !== undefined && text.replaceAll(letter + letter, '').endsWith(letter))
      throw this.mistake(pattern, [`the pattern ends with the escape character ${letter}`]);
    if (isFolded(side) && fold(text) !== text.toLowerCase()) throw this.#unfolded(pattern);
  }

  #comparing(side: Side): Comparing {
    if (side.kind === 'literal') return comparingOf(side.literal);
    const type = side.kind === 'test' ? ({ kind: 'scalar', name: 'boolean' } as const) : side.value.type;
    const comparing = this.#comparingOf(type);
    if (comparing !== undefined) return comparing;
    const name = side.kind === 'value' ? side.name : '';
    if (type.kind === 'record')
      throw this.mistake(side, [
        `${name} is a record: its members are ${Object.keys(type.fields)
          .map((each) => `${name}.${each}`)
          .join(', ')}`,
      ]);
    const words = `${name} is a list: it is null or not, and --explode ${name} makes a row for each item`;
    throw this.mistake(side, [words]).but({ hint: `--explode ${name}` });
  }

  #common(left: Side, right: Side): Comparing {
    const [one, other] = [this.#comparing(left), this.#comparing(right)];
    if (right.kind === 'literal') return this.#asLiteral(one, right, left.kind === 'literal');
    if (left.kind === 'literal') return this.#asLiteral(other, left, false);
    if (one.name === other.name && one.name !== 'any') return one;
    // What is known of one side holds for both.
    const [known, isKnown] = one.name === 'any' ? [other, other.name !== 'any'] : [one, other.name === 'any'];
    if (isKnown) return known;
    if (words.has(one.name) && words.has(other.name)) return texts;
    const [a, b] = [kindWords[one.name], kindWords[other.name]];
    throw this.mistake(right, [`${a} is not compared with ${b}`]);
  }

  #asLiteral(comparing: Comparing, side: PlacedLiteral, isLiteral: boolean): Comparing {
    const comparison = comparing.name === 'any' && !isLiteral ? comparingOf(side.literal) : comparing;
    const refusal = comparison.refusal(side.literal);
    if (refusal !== undefined) throw this.mistake(side, refusal);
    return comparison;
  }

  #literalKey({ literal: { text } }: PlacedLiteral, { name, keyOf }: Comparing): Key {
    return keyOf(name === 'time' ? asDateTime(text) : text) ?? text;
  }

  #keyOf(side: Side, comparing: Comparing): (record: RecordValue) => Key | null {
    if (side.kind === 'test') return side.test;
    if (side.kind === 'literal') {
      const key = this.#literalKey(side, comparing);
      return () => key;
    }
    const { read } = side.value;
    const { keyOf } = comparing;
    return (record) => {
      const value = read(record);
      return hasValue(value) ? keyOf(value) : null;
    };
  }

  #refuseUnfolded(left: Side, right: Side): void {
    for (const [side, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (isFolded(side) && other.kind === 'literal' && fold(other.literal.text) !== other.literal.text)
        throw this.#unfolded(other);
    }
  }

  #unfolded(side: PlacedLiteral): RelctlError {
    const suggestion = `'${fold(side.literal.text).replaceAll("'", "''")}'`;
    return this.mistake(side, [
      'fold() returns lower-case letters without accents, and this text has others',
      suggestion,
    ]);
  }
}
