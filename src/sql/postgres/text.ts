import type { Sent } from '../../postgres/connect.js';
import type { Parameters, ParameterValue } from '../parameters.js';
import type { Statement } from '../statement.js';

/** A statement as PostgreSQL takes it, with `$1` in the place of `:name`. */
export interface NumberedText {
  readonly sql: string;
  readonly values: readonly Sent[];
  /** The place in the statement as it was given, for one in `sql`, in code points. */
  placeOf(at: number): number;
}

/** The type of a value that is not a text; that of a text is what its place wants. */
function typed(value: ParameterValue | undefined, place: string): string {
  if (typeof value === 'bigint') return `CAST(${place} AS bigint)`;
  if (typeof value === 'number') return `CAST(${place} AS numeric)`;
  return typeof value === 'boolean' ? `CAST(${place} AS boolean)` : place;
}

const sentValue = (value: ParameterValue | undefined): Sent =>
  value === undefined || value === null ? null : String(value);

/** Where letters of the statement stand in what is sent. */
interface Piece {
  readonly sentAt: number;
  readonly at: number;
  /** A parameter: all of it stands for the letters at `at`. */
  readonly isValue: boolean;
}

/** The statement without what stands behind its end, with numbers for the names of its parameters. */
export function numberedText(statement: Statement, parameters: Parameters): NumberedText {
  const { text, tokens } = statement;
  const pieces: Piece[] = [{ sentAt: 0, at: 0, isValue: false }];
  let [sql, from] = ['', 0];
  for (const { kind, name, at, end } of tokens) {
    if (kind !== 'parameter') continue;
    sql += text.slice(from, at);
    pieces.push({ sentAt: sql.length, at, isValue: true });
    sql += typed(parameters[name], `$${statement.parameters.indexOf(name) + 1}`);
    pieces.push({ sentAt: sql.length, at: end, isValue: false });
    from = end;
  }
  sql += text.slice(from, tokens.at(-1)?.end);
  const placeOf = (points: number): number => {
    const index = Array.from(sql).slice(0, Math.max(0, points)).join('').length;
    const piece = pieces.findLast(({ sentAt }) => sentAt <= index);
    if (piece === undefined) return 0;
    return piece.isValue ? piece.at : piece.at + index - piece.sentAt;
  };
  return { sql, values: statement.parameters.map((name) => sentValue(parameters[name])), placeOf };
}
