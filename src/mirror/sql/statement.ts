import { nearest } from '../../core/text/text.js';
import { tokensOf, wordOf, type Token, mistakeAt, type QueryText } from '../../formats/query/tokens.js';

/** One statement that only asks. */
export interface Statement extends QueryText {
  readonly tokens: readonly Token[];
  /** Names of its parameters, each once, in their order. */
  readonly parameters: readonly string[];
  /** It says how another statement would be carried out, and carries nothing out. */
  readonly isPlan: boolean;
}

const asking = ['SELECT', 'WITH', 'VALUES', 'EXPLAIN'] as const;

const others: ReadonlySet<string> = new Set(
  (
    'ALTER ANALYZE ATTACH BEGIN CALL COMMIT COPY CREATE DELETE DETACH DO DROP END GRANT INSERT LISTEN LOCK MERGE NOTIFY ' +
    'PRAGMA REFRESH REINDEX RELEASE REPLACE RESET REVOKE ROLLBACK SAVEPOINT SET SHOW TABLE TRUNCATE UPDATE VACUUM'
  ).split(' '),
);

const isSign = (token: Token | undefined, text: string): boolean => token?.kind === 'sign' && token.text === text;

const asksOnly = 'sql is read-only';

function checkFirst(queryText: QueryText, first: Token | undefined, words: readonly string[]): void {
  if (first === undefined) throw mistakeAt(queryText, queryText.text.length, ['there is no statement']);
  const word = wordOf(first);
  if (words.includes(word)) return;
  const allowed = `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
  if (others.has(word)) throw mistakeAt(queryText, first.at, [`${asksOnly}: it runs ${allowed}, not ${word}`]);
  throw mistakeAt(queryText, first.at, [
    `a statement begins with ${allowed}, not '${first.text.slice(0, 32)}'`,
    nearest(word, words),
  ]);
}

function checkOne(query: QueryText, tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findIndex((token) => isSign(token, ';'));
  if (end === -1) return tokens;
  const more = tokens.slice(end).find((token) => !isSign(token, ';'));
  if (more !== undefined) throw mistakeAt(query, more.at, ['sql runs one statement, and here a second one begins']);
  return tokens.slice(0, end);
}

/** The word that says what a statement with common table expressions does: the first such word outside of brackets. */
function mainOf(tokens: readonly Token[]): Token | undefined {
  let depth = 0;
  return tokens.find((token, at) => {
    if (isSign(token, '(')) depth += 1;
    if (isSign(token, ')')) depth -= 1;
    const isCall = isSign(tokens[at + 1], '(');
    return (
      depth === 0 && !isCall && ['SELECT', 'VALUES', 'DELETE', 'INSERT', 'REPLACE', 'UPDATE'].includes(wordOf(token))
    );
  });
}

function carriedOut(tokens: readonly Token[]): readonly Token[] {
  if (wordOf(tokens[0]) !== 'EXPLAIN') return tokens;
  const isQueryPlan = wordOf(tokens[1]) === 'QUERY' && wordOf(tokens[2]) === 'PLAN';
  return tokens.slice(isQueryPlan ? 3 : 1);
}

function parametersOf(query: QueryText, tokens: readonly Token[]): readonly string[] {
  const parameters = tokens.filter(({ kind }) => kind === 'parameter');
  const nameless = parameters.find(({ text }) => /^[?$]\d*$/.test(text));
  if (nameless === undefined) return [...new Set(parameters.map(({ name }) => name))];
  throw mistakeAt(query, nameless.at, ['parameters need a name here: write :name, and use --param name=value']);
}

/** The whole numbers that SQLite keeps as they are. */
const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];

const beforeValues: ReadonlySet<string> = new Set(
  'SELECT DISTINCT ALL WHERE ON HAVING AND OR NOT BETWEEN LIKE CASE WHEN THEN ELSE BY LIMIT OFFSET'.split(' '),
);

/** True where a `-` behind this token is the sign of a number, and takes nothing from another one. */
const beginsValue = (token: Token | undefined): boolean =>
  token?.kind === 'sign' ? !/^[)-]$/.test(token.text) : beforeValues.has(wordOf(token));

function withSigns(tokens: readonly Token[]): readonly Token[] {
  const signed: Token[] = [];
  for (const token of tokens) {
    const sign = signed.at(-1);
    const isNegative = token.kind === 'number' && isSign(sign, '-') && beginsValue(signed.at(-2));
    if (isNegative) signed.pop();
    signed.push(isNegative ? { ...token, text: `-${token.text}`, at: sign?.at ?? token.at } : token);
  }
  return signed;
}

/** Throws `usage` for a whole number that SQLite would round, without a word, to some 16 digits. */
function checkNumbers(query: QueryText, tokens: readonly Token[]): void {
  for (const { kind, text, at: start, end } of tokens) {
    const digits = text.replaceAll('_', '');
    if (kind !== 'number' || !/^-?\d{19,}$/.test(digits)) continue;
    if (BigInt(digits) >= least && BigInt(digits) <= most) continue;
    throw mistakeAt(query, start, [
      'SQLite stores whole numbers up to 9223372036854775807, and would round this one: write it as a text',
      `'${digits}'`,
      { start, end },
    ]);
  }
}

/**
 * Reads a text as one statement that only asks. What the words of the text cannot tell is checked again where it is carried
 * out. Throws `usage` with the place of a mistake.
 */
export function statementOf(query: QueryText): Statement {
  const all = tokensOf(query);
  checkFirst(query, all[0], asking);
  const tokens = withSigns(checkOne(query, all));
  checkNumbers(query, tokens);
  const inner = carriedOut(tokens);
  const isPlan = inner !== tokens;
  if (isPlan) checkFirst(query, inner[0], asking.slice(0, 3));
  const main = wordOf(inner[0]) === 'WITH' ? mainOf(inner) : undefined;
  if (main !== undefined && others.has(wordOf(main))) {
    throw mistakeAt(query, main.at, [`${asksOnly}: it runs SELECT or VALUES after WITH, not ${wordOf(main)}`]);
  }
  return { ...query, tokens, parameters: parametersOf(query, tokens), isPlan };
}
