import { fork, type ChildProcess } from 'node:child_process';
import { once, on } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { SqlValue, AnswerColumn } from '../../state/sqlite/open.js';
import { received, type More, type Order, type Reads, type ReaderMessage } from './messages.js';
import { opt, recordWithoutPresence, type Field, type RecordType, type ScalarType } from '../../contract/build.js';
import { anyType, int } from '../../contract/scalars.js';
import type { RecordValue } from '../../core/values/value.js';

/** An answer of a query, while it comes. */
export interface QueryAnswer {
  readonly columns: readonly AnswerColumn[];
  readonly reads: Reads;
  readonly rows: AsyncGenerator<readonly (readonly SqlValue[])[], void>;
  close(): void;
}

/** Where scripts/bundle.ts puts reader.ts; the name is only known there. */
declare const READER_FILE: string | undefined;

const readerFile = (): string =>
  fileURLToPath(new URL(typeof READER_FILE === 'string' ? READER_FILE : './reader.ts', import.meta.url));

/** Variables that the process gets: where temporary files go. Others may be secrets. */
const variables = (): NodeJS.ProcessEnv => ({ SQLITE_TMPDIR: tmpdir() });

function started(): ChildProcess {
  const file = readerFile();
  const isSource = file.endsWith('.ts');
  return fork(file, [], {
    env: variables(),
    execArgv: isSource ? ['--import', 'tsx'] : [],
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
}

function ended(code: number | null, signal: NodeJS.Signals | null): RelctlError {
  const how = signal === null ? `with code ${code ?? 0}` : `by ${signal}`;
  return new RelctlError('local', `the process that reads the mirror ended ${how}, in the middle of the query`, {
    advice: 'A value may be too long, or not UTF-8: query hex(COLUMN) to see it.',
  });
}

async function* heard(child: ChildProcess, signal: AbortSignal): AsyncGenerator<ReaderMessage> {
  const over = new AbortController();
  const closed = once(child, 'close').then(([code, by]) =>
    over.abort(ended(code as number | null, by as NodeJS.Signals | null)),
  );
  closed.catch(() => undefined);
  try {
    for await (const [said] of on(child, 'message', { signal: AbortSignal.any([signal, over.signal]) }))
      yield said as ReaderMessage;
  } catch (thrown) {
    signal.throwIfAborted();
    throw over.signal.aborted ? over.signal.reason : thrown;
  }
}

async function next(said: AsyncGenerator<ReaderMessage>): Promise<ReaderMessage> {
  const step = await said.next();
  const readerMessage: ReaderMessage = step.done === true ? { end: true } : step.value;
  if ('error' in readerMessage) throw received(readerMessage.error);
  return readerMessage;
}

/**
 * Asks a file in a process of its own, which ends when the query ends, at the signal, and with this process. Throws `usage`
 * for a statement that is refused or wrong, `local`, and the reason of the signal.
 */
export async function openReading(order: Order, signal: AbortSignal): Promise<QueryAnswer> {
  const child = started();
  const close = (): void => void child.kill('SIGKILL');
  const said = heard(child, signal);
  const more: More = { more: true };
  // It may have ended: what it said last tells why.
  const ask = (message: Order | More): void => void child.send(message, () => undefined);
  async function* rows(): QueryAnswer['rows'] {
    try {
      for (;;) {
        ask(more);
        const row = await next(said);
        if (!('rows' in row)) return;
        yield row.rows;
      }
    } finally {
      close();
    }
  }
  try {
    ask(order);
    const first = await next(said);
    if (!('columns' in first)) throw new RelctlError('bug', 'the process that reads the mirror returned no columns');
    return { columns: first.columns, reads: first.reads, rows: rows(), close };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

function checkNames(names: readonly string[], path: string): void {
  const nameless = names.indexOf('');
  if (nameless >= 0) throw usage(path, `column ${nameless + 1} has no name: add one with AS`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw usage(path, `two columns are named ${twice}: rename one with AS`);
  // JavaScript puts members whose names are numbers before all others.
  const distinct = Object.keys(Object.fromEntries(names.map((name) => [name, true])));
  const moved = names.find((name, at) => distinct[at] !== name);
  if (moved !== undefined) throw usage(path, `a column is named ${moved}, which is a number: rename it with AS`);
}

/** A cell as relctl has such values everywhere: what a double cannot hold is text, as long is; bytes are base64. */
function valueOf(cell: SqlValue): string | number | boolean | null {
  if (typeof cell === 'bigint') return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell);
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : String(cell);
  return cell instanceof Uint8Array ? Buffer.from(cell).toString('base64') : cell;
}

const isNumber = (cell: SqlValue | undefined): boolean => typeof cell === 'bigint' || typeof cell === 'number';

function typeSeen(rows: readonly (readonly SqlValue[])[], at: number): ScalarType {
  const cells = rows.map((row) => row[at]).filter((cell) => cell !== null);
  return cells.length > 0 && cells.every(isNumber) ? int : anyType;
}

/**
 * The records of an answer, whose members are the columns. Throws `usage` for names that no record can have.
 * @param first its first rows
 * @param how `fieldOf` gives what a column holds that shows the column of a table as it is; `path` is what the statement was given
 * with, for errors
 */
export function answerRecords(
  columns: readonly AnswerColumn[],
  first: readonly (readonly SqlValue[])[],
  { fieldOf, path }: { readonly fieldOf: (column: AnswerColumn) => Field | undefined; readonly path: string },
): { readonly type: RecordType; readonly of: (row: readonly SqlValue[]) => RecordValue } {
  const names = columns.map(({ name }) => name);
  checkNames(names, path);
  const fields = columns.map(
    (column, at) => [column.name, fieldOf(column) ?? opt(typeSeen(first, at), 'A column of the answer.')] as const,
  );
  return {
    type: recordWithoutPresence('Answer', 'A row of the answer.', Object.fromEntries(fields)),
    of: (row) => Object.fromEntries(names.map((name, at) => [name, valueOf(row[at] ?? null)])),
  };
}
