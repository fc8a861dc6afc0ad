import { RelctlError } from '../../../core/errors/relctl-error.js';
import type { RecordValue } from '../../../core/values/value.js';
import { isName, tokensOf, wordOf, type Token, type QueryText, type Part } from '../tokens.js';
import { type Scope, textMadeOf, valueNamed } from './names.js';
import type { Type } from '../../../contract/build.js';
import { scalarOf, valuesOf } from '../../../contract/walk.js';
import { nearest, fold } from '../../../core/text/text.js';
import { allOf, anyOf, isSign, opposite, Tests, type PlacedLiteral, type Side, type Test } from './tests.js';
import type { Literal } from './values.js';

/** Parts of a condition within each other: what reads them calls itself. */
const mostDepth = 200;

const keywords: ReadonlySet<string> = new Set(
  'AND OR NOT LIKE ESCAPE IN BETWEEN IS NULL ISNULL NOTNULL TRUE FALSE'.split(' '),
);

const otherWords: Readonly<Record<string, string>> = { '&&': 'and', '||': 'or', '!': 'not ' };

/** True for what can be folded. */
const isText = (type: Type): boolean =>
  valuesOf(type) !== undefined || scalarOf(type) === 'string' || scalarOf(type) === 'anyType';

class Parser {
  readonly members = new Set<string>();
  readonly #text: QueryText;
  readonly #scope: Scope;
  readonly #tests: Tests;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(queryText: QueryText, scope: Scope) {
    this.#text = queryText;
    this.#scope = scope;
    this.#tests = new Tests(queryText, scope);
    this.#tokens = tokensOf(queryText);
  }

  whole(): Test {
    const side = this.#alternatives();
    if (this.#token !== undefined) throw this.#misplaced();
    return this.#tests.test(side);
  }

  get #token(): Token | undefined {
    return this.#tokens[this.#next];
  }

  #take(...words: readonly string[]): Token | undefined {
    const token = this.#token;
    if (token === undefined || !words.includes(token.kind === 'sign' ? token.text : wordOf(token))) return undefined;
    this.#next += 1;
    return token;
  }

  #expect(word: string): Token {
    const token = this.#take(word);
    if (token === undefined) throw this.#misplaced(`${word} is missing`);
    return token;
  }

  #misplaced(missing?: string): RelctlError {
    const token = this.#token;
    const end = this.#text.text.trimEnd().length;
    if (token === undefined)
      return this.#tests.mistake({ start: end, end }, [missing ?? 'the condition is incomplete']);
    const { at: start, text } = token;
    const twice = `${text}${this.#tokens[this.#next + 1]?.text ?? ''}`;
    const word = Object.hasOwn(otherWords, twice) ? twice : text;
    const suggestion = Object.hasOwn(otherWords, word) ? otherWords[word] : undefined;
    const words =
      suggestion === undefined
        ? `'${text.slice(0, 32)}' cannot stand here`
        : `'${word}' is written ${suggestion.trim()}`;
    return this.#tests.mistake({ start, end: start + word.length }, [
      missing === undefined ? words : `${missing}: ${words}`,
      suggestion,
    ]);
  }

  #within(read: () => Side): Side {
    const { at: start = 0, end = 0 } = this.#token ?? {};
    this.#depth += 1;
    if (this.#depth > mostDepth) throw this.#tests.mistake({ start, end }, [`more than ${mostDepth} nested parts`]);
    const side = read();
    this.#depth -= 1;
    return side;
  }

  #joined(word: string, read: () => Side, join: (tests: readonly Test[]) => Test): Side {
    const first = read();
    const sides = [first];
    while (this.#take(word) !== undefined) sides.push(read());
    if (sides.length === 1) return first;
    const test = join(sides.map((side) => this.#tests.test(side)));
    return { kind: 'test', start: first.start, end: sides.at(-1)?.end ?? first.end, test };
  }

  #alternatives(): Side {
    return this.#joined('OR', () => this.#joined('AND', () => this.#negation(), allOf), anyOf);
  }

  #negation(): Side {
    const not = this.#take('NOT');
    if (not === undefined) return this.#comparison();
    const side = this.#within(() => this.#negation());
    return { kind: 'test', start: not.at, end: side.end, test: opposite(this.#tests.test(side)) };
  }

  #comparison(): Side {
    const left = this.#side();
    const start = left.start;
    const made = (test: Test): Side => ({ kind: 'test', start, end: this.#tokens[this.#next - 1]?.end ?? start, test });
    const sign = this.#token;
    if (sign?.kind === 'sign' && isSign(sign.text)) {
      this.#next += 1;
      const span = { start: sign.at, end: sign.end, text: sign.text };
      return made(this.#tests.compare(left, span, this.#side(left)));
    }
    if (this.#take('ISNULL') !== undefined) return made(this.#tests.isNull(left));
    if (this.#take('NOTNULL') !== undefined) return made(opposite(this.#tests.isNull(left)));
    if (this.#take('IS') !== undefined) return made(this.#nullTest(left));
    const isNot = this.#take('NOT') !== undefined;
    const test = this.#wordTest(left);
    if (test !== undefined) return made(isNot ? opposite(test) : test);
    if (isNot) throw this.#misplaced();
    return left;
  }

  #nullTest(left: Side): Test {
    const isNot = this.#take('NOT') !== undefined;
    if (this.#take('NULL') === undefined) throw this.#misplaced('expected null or not null after is');
    const test = this.#tests.isNull(left);
    return isNot ? opposite(test) : test;
  }

  #wordTest(left: Side): Test | undefined {
    if (this.#take('LIKE') !== undefined) {
      const pattern = this.#literal();
      const escape = this.#take('ESCAPE') === undefined ? undefined : this.#literal();
      return this.#tests.isLike(left, { pattern, ...(escape === undefined ? {} : { escape }) });
    }
    if (this.#take('IN') !== undefined) {
      this.#expect('(');
      const literals = [this.#literal()];
      while (this.#take(',') !== undefined) literals.push(this.#literal());
      this.#expect(')');
      return this.#tests.isIn(left, literals);
    }
    const between = this.#take('BETWEEN');
    if (between === undefined) return undefined;
    const span = { start: between.at, end: between.end };
    const low = this.#side(left);
    this.#expect('AND');
    const high = this.#side(left);
    return allOf([
      this.#tests.compare(left, { ...span, text: '>=' }, low),
      this.#tests.compare(left, { ...span, text: '<=' }, high),
    ]);
  }

  #literal(): PlacedLiteral {
    const side = this.#side();
    if (side.kind === 'literal') return side;
    throw this.#tests.mistake(side, ['expected a value here, such as a text in single quotes']);
  }

  /**
   * The value, the literal or the condition in brackets that stands here.
   * @param beside the part that it is compared with
   */
  #side(beside?: Side): Side {
    const token = this.#token;
    if (token?.kind === 'quoted') return this.#named(beside);
    if (token?.kind === 'word') return this.#word(token, beside);
    return this.#take('(') === undefined ? this.#textOrNumber() : this.#bracketed(token?.at ?? 0);
  }

  #bracketed(start: number): Side {
    const side = this.#within(() => this.#alternatives());
    return { ...side, start, end: this.#expect(')').end };
  }

  #textOrNumber(): PlacedLiteral {
    const minus = this.#take('-');
    const value = this.#token;
    if (value?.kind === 'number') return this.#number(value, minus);
    if (value?.kind !== 'text' || minus !== undefined) throw this.#misplaced();
    this.#next += 1;
    return this.#placed(value, { is: 'text', text: value.name });
  }

  #placed({ at: start, end }: Pick<Token, 'at' | 'end'>, literal: Literal): PlacedLiteral {
    return { kind: 'literal', start, end, literal };
  }

  #number(token: Token, minus: Token | undefined): PlacedLiteral {
    const { text, end } = token;
    if (!/^(?:\d+\.?\d*|\.\d+)$/.test(text))
      throw this.#tests.mistake({ start: token.at, end }, [`${text.slice(0, 32)}: write a number as 1000 or 12.5`]);
    this.#next += 1;
    return this.#placed({ at: minus?.at ?? token.at, end }, { is: 'number', text: `${minus?.text ?? ''}${text}` });
  }

  #word(token: Token, beside: Side | undefined): Side {
    const word = wordOf(token);
    if (word === 'TRUE' || word === 'FALSE' || word === 'NULL') {
      this.#next += 1;
      return this.#placed(token, { is: word === 'NULL' ? 'null' : 'boolean', text: word.toLowerCase() });
    }
    if (keywords.has(word)) throw this.#misplaced();
    const next = this.#tokens[this.#next + 1];
    return next?.text === '(' ? this.#call(token) : this.#named(beside);
  }

  #call(token: Token): Side {
    const part: Part = { start: token.at, end: token.end };
    if (wordOf(token) !== 'FOLD') {
      const near = nearest(token.text, ['fold']);
      throw this.#tests.mistake(part, [`there is no function ${token.text.slice(0, 32)} here, only fold()`, near]);
    }
    this.#next += 2;
    const side = this.#within(() => this.#side());
    const end = this.#expect(')').end;
    if (side.kind === 'literal' && side.literal.is === 'text')
      return { ...side, start: token.at, end, literal: { is: 'text', text: fold(side.literal.text) } };
    if (side.kind !== 'value' || !isText(side.value.type)) throw this.#tests.mistake(side, ['fold() takes a text']);
    return { ...side, start: token.at, end, value: textMadeOf(side.value, fold), isFolded: true };
  }

  #nameParts(): readonly Token[] {
    const parts: Token[] = [];
    do {
      const token = this.#token;
      if (token === undefined || !isName(token)) throw this.#misplaced();
      parts.push(token);
      this.#next += 1;
    } while (this.#take('.') !== undefined);
    return parts;
  }

  #named(beside: Side | undefined): Side {
    const parts = this.#nameParts();
    const span: Part = { start: parts[0]?.at ?? 0, end: parts.at(-1)?.end ?? 0 };
    const title = parts.map(({ name }) => name).join('.');
    const [only] = parts.length === 1 ? parts : [];
    const quote = only?.kind === 'quoted' ? only.text.slice(0, 1) : undefined;
    const mayBeText = beside?.kind === 'value' && only !== undefined;
    const value = valueNamed(this.#text, this.#scope, { ...span, title, quote, mayBeText });
    this.members.add(value.member);
    return { kind: 'value', ...span, name: title, value };
  }
}

/** What --where keeps of records. */
export interface Where {
  readonly keeps: (record: RecordValue) => boolean;
  readonly looksAt: ReadonlySet<string>;
}

const flag = '--where';

function parsed(query: QueryText, scope: Scope): Where {
  const parser = new Parser(query, scope);
  const test = parser.whole();
  return { keeps: (record) => test(record) === true, looksAt: parser.members };
}

function isRight(text: string, scope: Scope): boolean {
  try {
    parsed({ path: flag, text }, scope);
    return true;
  } catch {
    return false;
  }
}

/** Reads the text of --where. Throws `usage` for a mistake, with its place and a condition that is right, where one is known. */
export function whereOf(text: string, scope: Scope): Where {
  try {
    return parsed({ path: flag, text }, scope);
  } catch (thrown) {
    const mistake = RelctlError.from(thrown);
    const { correction, hint } = mistake;
    throw correction === undefined || isRight(correction.meant, scope) ? mistake : mistake.but({ hint });
  }
}
