import { RelctlError } from '../../errors/relctl-error.js';
import { nearest } from '../../lexical/nearest.js';
import type { Postgres } from '../../postgres/connect.js';
import { StatementFailure } from '../../postgres/failure.js';
import { mistakeAt, type Words } from '../../query/mistake.js';
import type { Statement } from '../statement.js';
import type { Token } from '../tokens.js';
import type { NumberedText } from './text.js';

/** A statement that was asked. */
export interface Asked {
  readonly schema: string;
  readonly statement: Statement;
  readonly text: NumberedText;
}

/** Classes of codes that blame the statement: values, names, types, what it would do. */
const ofStatement = /^(?:0A|21|22|2F|42|54|P0)/;

const notAllowed = '42501';
/** A write, and a setting that would let the transaction write. */
const writing: ReadonlySet<string> = new Set(['25006', '25001']);
const wouldWrite = 'sql asks, and changes nothing';

/** Names of the views for people, with those of their columns. */
async function namesIn(postgres: Postgres, schema: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await postgres.rows(
    'SELECT c.relname, a.attname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
      "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 WHERE n.nspname = $1 AND c.relkind = 'v' " +
      'ORDER BY c.relname, a.attnum',
    [schema],
  );
  return rows.reduce(
    (found, [view, column]) => found.set(view ?? '', [...(found.get(view ?? '') ?? []), column ?? '']),
    new Map<string, readonly string[]>(),
  );
}

const isPlain = (name: string): boolean => /^[a-z_][a-z0-9_]*$/.test(name);
const asWritten = (name: string): string => (isPlain(name) ? name : `"${name.replaceAll('"', '""')}"`);

const asList = (names: readonly string[]): string => (names.length === 0 ? '' : `; there are ${names.join(', ')}`);

/** What PostgreSQL does not find, by its code. */
const nameless: Readonly<Record<string, 'table' | 'column'>> = { '42P01': 'table', '42703': 'column' };

/** The names that could be meant, of the views and of the columns of those that the statement names. */
async function knownNames(
  postgres: Postgres,
  { schema, statement }: Asked,
  what: 'table' | 'column',
): Promise<readonly string[]> {
  // The transaction takes nothing more behind a mistake.
  await postgres.execute('ROLLBACK');
  const views = await namesIn(postgres, schema);
  if (what === 'table') return [...views.keys()];
  const written = new Set(statement.tokens.map(({ name }) => name.toLowerCase()));
  return [...new Set([...views].flatMap(([view, names]) => (written.has(view.toLowerCase()) ? names : [])))];
}

/** The last part of a name such as `r."Id"`, which begins at a place. */
function lastPart({ tokens }: Statement, at: number): Token | undefined {
  const first = tokens.findIndex((token) => token.at === at);
  return tokens[tokens[first + 1]?.text === '.' ? first + 2 : first];
}

/** The words for a name that is not known. PostgreSQL makes names small that stand outside of quotes. */
function unknownName(name: string, what: string, known: readonly string[]): Words {
  const same = known.find((each) => each.toLowerCase() === name.toLowerCase());
  const near = same ?? nearest(name, known);
  if (near === undefined) return [`there is no ${what} ${name}${asList(known)}`];
  const why = same === undefined ? '' : ': a name with capitals stands in double quotes';
  return [`there is no ${what} ${name}${why}`, asWritten(near)];
}

async function mistakeIn(postgres: Postgres, asked: Asked, failure: StatementFailure): Promise<RelctlError> {
  const { state, said } = failure;
  const { statement, text } = asked;
  const words = writing.has(state) ? `${wouldWrite}: ${said}` : said;
  if (failure.at === undefined) return new RelctlError('usage', words, { facts: { path: statement.path } });
  const at = text.placeOf(failure.at);
  const what = nameless[state];
  const token = lastPart(statement, at);
  if (what === undefined || token === undefined) return mistakeAt(statement, at, [words]);
  return mistakeAt(statement, token.at, unknownName(token.name, what, await knownNames(postgres, asked, what)));
}

/** A failure of PostgreSQL as an error: of the statement, with its place where that is known, or of the server. */
export async function mistakeOf(postgres: Postgres, asked: Asked, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof StatementFailure) || thrown.state === notAllowed) return thrown;
  const { state } = thrown;
  return writing.has(state) || ofStatement.test(state) ? mistakeIn(postgres, asked, thrown) : thrown;
}
