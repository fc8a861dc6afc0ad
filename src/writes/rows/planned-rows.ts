import type { RecordValue } from '../../core/values/value.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Cell, InputFile, InputRow } from '../../formats/readers/input.js';
import { operationWith } from '../../contract/widen.js';
import { encodeFields } from '../../soap/codec/encode.js';
import { mistakesIn, mistakeWords, isSilent, type Mistake, type CellRules, readRow } from './read-row.js';
import type { Session } from '../../kit/session/session.js';
import type { BatchFiles, BatchInput, RowPlan, RowsText, RowValues, BatchContext } from './rows-text.js';
import { hasMirror } from '../../names/mirror/location.js';
import { mirrorFor } from '../../names/mirror-names.js';
import { note } from '../../kit/host/notes.js';
import { pastedGuid } from '../../core/text/scalars.js';
import { isRecordKind, type RecordKind } from '../../contract/lists.js';
import { knownIds } from '../../mirror/names.js';

interface IdColumn {
  readonly index: number;
  readonly title: string;
  readonly kind: RecordKind;
}

interface MirrorIds {
  readonly has: (id: string) => boolean;
  readonly age: string;
}

function idColumns({ columns, targets, places }: CellRules): readonly IdColumn[] {
  return targets.flatMap((target, index) => {
    const kind = target.kind === 'value' ? places.get(target.name)?.idOf : undefined;
    return kind === undefined || !isRecordKind(kind) ? [] : [{ index, title: columns[index] ?? '', kind }];
  });
}

/** The Ids of a kind in the mirror; a mirror that cannot be read forbids no write: a note says that it was not looked into. */
async function mirrorIds(batchContext: BatchContext, kind: RecordKind): Promise<MirrorIds | undefined> {
  const { context, flags } = batchContext;
  try {
    const answer = await mirrorFor(kind, batchContext);
    if ('why' in answer) return undefined;
    const has = knownIds(answer.mirror.database, kind);
    return has && { has, age: answer.age };
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (error.kind !== 'local' && error.kind !== 'profile') throw error;
    await note(context, flags, `relctl did not compare Ids with the mirror: ${error.message}`);
    return undefined;
  }
}

/**
 * Makes what finds the Ids of a row that the mirror of the profile does not have, where it has one. Throws what a sync by
 * --max-age throws.
 */
export function unknownIds(
  batchContext: BatchContext,
  reading: CellRules,
): (row: Pick<InputRow, 'line' | 'cells'>) => Promise<readonly Mistake[]> {
  const { context, session } = batchContext;
  const isCompared = session.profile.values.checkIds?.value !== false && hasMirror(context, session.profile.name);
  const columns = isCompared ? idColumns(reading) : [];
  const mirrors = new Map<RecordKind, MirrorIds | undefined>();
  return async ({ line, cells }) => {
    const mistakes: Mistake[] = [];
    for (const { index, title, kind } of columns) {
      const cell = cells[index];
      const id = typeof cell === 'string' ? pastedGuid(cell) : undefined;
      if (id === undefined) continue;
      if (!mirrors.has(kind)) mirrors.set(kind, await mirrorIds(batchContext, kind));
      const mirror = mirrors.get(kind);
      if (mirror === undefined || mirror.has(id)) continue;
      const what = `no ${kind} of the mirror, ${mirror.age}, has this Id: --max-age 0s syncs the mirror again, --set checkIds=no skips the check`;
      mistakes.push({ line, column: title, what });
    }
    return mistakes;
  };
}

/** A record that was read, by what identifies it. */
export interface Listed {
  readonly hash: string;
  readonly value: RecordValue;
}

/** Reads the records that writes add to a record. */
export interface Lister {
  /** The records beside that of an input; undefined for too many. Throws what the call throws, and `bad-answer`. */
  read(input: RecordValue): Promise<readonly Listed[] | undefined>;
  isMadeBy(input: RecordValue, value: RecordValue): boolean;
  /** True for two inputs that make records which nothing distinguishes. */
  isAlike(left: RecordValue, right: RecordValue): boolean;
  /** How long the service may take for a write, in milliseconds. */
  readonly longestMs: number;
}

/** A row of the input: its plan, or what is wrong with it. */
export interface PlannedRow {
  /** Its number, from 0. */
  readonly row: number;
  readonly line: number;
  /** A cell for each column, as they were given. */
  readonly cells: readonly Cell[];
  readonly plan?: RowPlan;
  readonly mistakes: readonly Mistake[];
  /** The line of an earlier row that adds the same. */
  readonly twinOf?: number;
}

/** What rows are planned by. */
export interface Planning<S> {
  readonly input: InputFile;
  readonly reading: CellRules;
  readonly text: Pick<RowsText<S>, 'plan' | 'compared' | 'operation' | 'members'>;
  readonly shared: S;
  /** The rows of an undo, which are planned by what is undone and not by the input. */
  readonly undone?: () => Iterable<PlannedRow>;
  /** True for a row that an earlier run has ended: its record need not be looked at. */
  readonly isOver?: (row: number) => boolean;
  /** True where this run has checked the same rows by the contract; the call checks what it sends once more. */
  readonly isChecked?: boolean;
}

/** A run of a command with --file, once its rows can be planned. */
export interface BulkRun<S> extends BatchInput {
  readonly session: Session;
  readonly text: RowsText<S>;
  readonly planning: Planning<S>;
  readonly files: BatchFiles;
  /** What reads the records that rows add, where the profile names an operation for it. */
  readonly lister?: Lister;
  /** Id of the entry of the ledger that it undoes. */
  readonly undoes?: string;
}

function mistakeOf(error: RelctlError, line: number, reading: CellRules): Mistake {
  const path = error.facts.path?.replace(/^--/, '');
  const index = reading.targets.findIndex((target) => target.kind !== 'ignored' && target.name === path);
  const column = reading.columns[index];
  return { line, what: mistakeWords(error), ...(column === undefined ? {} : { column }) };
}

/** The field of the row that a path of what is sent names, such as the second of it: `fieldValues[1].Value`. */
const fieldAt = /^fieldValues\[(\d+)\]/;

/** The error of a value that the contract refuses, by the flag or field of the row that gave it: those have columns. */
function ofRow(error: RelctlError, { fields }: RowValues, members: RowsText<unknown>['members']): RelctlError {
  const { path = '' } = error.facts;
  const name = fields[Number(fieldAt.exec(path)?.[1])]?.field ?? members[path.slice(path.lastIndexOf('.') + 1)];
  return name === undefined ? error : error.but({ facts: { ...error.facts, path: name } });
}

async function planOf<S>(
  { text, shared, reading, isChecked }: Planning<S>,
  row: RowValues,
  isOver: boolean,
): Promise<RowPlan> {
  const plan = await text.plan(row, shared);
  if (isChecked !== true && plan.changes.length > 0) {
    const { name, parameters } = operationWith(text.operation, reading.allowed);
    try {
      encodeFields(parameters, plan.input, { direction: 'request', of: name });
    } catch (thrown) {
      throw ofRow(RelctlError.from(thrown), row, text.members);
    }
  }
  return isOver || text.compared === undefined ? plan : text.compared(plan, shared, row);
}

/** A mistake that names its cell as a spreadsheet does, where the input is one. */
export function withCell(input: InputFile, mistake: Mistake): Mistake {
  const { line, column, what } = mistake;
  const cell = column === undefined ? undefined : input.cellName(line, column);
  return cell === undefined ? mistake : { ...mistake, what: `${what} (${cell})` };
}

/** The plan of a row, or what was found wrong while it was made. Throws what is no mistake of a row. */
export async function planned<S>(
  { input, reading }: Pick<Planning<S>, 'input' | 'reading'>,
  line: number,
  make: () => Promise<RowPlan>,
): Promise<Plan> {
  try {
    return { plan: await make(), mistakes: [] };
  } catch (thrown) {
    const errors = mistakesIn(thrown);
    if (errors === undefined) throw thrown;
    return { mistakes: errors.map((error) => withCell(input, mistakeOf(error, line, reading))) };
  }
}

type Plan = Pick<PlannedRow, 'plan' | 'mistakes'>;

/** A row as it was given, which is planned when it is asked for. */
export interface UnplannedRow extends Pick<PlannedRow, 'row' | 'line' | 'cells'> {
  /** Throws what calls throw, and what is no mistake of the row. */
  readonly plan: () => Plan | Promise<Plan>;
}

/**
 * Those mistakes of the plan of a row with other mistakes that are of its other cells, such as a code that no product has.
 * What has no column, or is of a cell that is wrong or says nothing, may be wrong for the want of those.
 */
function ofOtherCells<S>(
  { reading: { columns } }: Planning<S>,
  { cells }: InputRow,
  { known, others }: { readonly known: readonly Mistake[]; readonly others: readonly Mistake[] },
): readonly Mistake[] {
  return others.filter(({ column }) => {
    if (column === undefined || known.some((each) => each.column === column)) return false;
    return !isSilent(cells[columns.indexOf(column)]);
  });
}

async function planOfRow<S>(planning: Planning<S>, row: number, inputRow: InputRow): Promise<Plan> {
  const { input, reading } = planning;
  const { row: said, mistakes } = readRow(reading, inputRow);
  const known = mistakes.map((each) => withCell(input, each));
  if (said === undefined) return { mistakes: known };
  const isFit = known.length === 0;
  const isOver = !isFit || planning.isOver?.(row) === true;
  const plan = await planned(planning, inputRow.line, () => planOf(planning, said, isOver));
  if (isFit) return plan;
  return { mistakes: [...known, ...ofOtherCells(planning, inputRow, { known, others: plan.mistakes })] };
}

/** The rows of the input, in their order. Throws what reading the input throws. */
export async function* unplannedRows<S>(planning: Planning<S>): AsyncGenerator<UnplannedRow> {
  for (const { row, line, cells, ...plan } of planning.undone?.() ?? []) yield { row, line, cells, plan: () => plan };
  let next = 0;
  for await (const inputRow of planning.input.rows()) {
    const [row, { line, cells }] = [next, inputRow];
    yield { row, line, cells, plan: () => planOfRow(planning, row, inputRow) };
    next += 1;
  }
}

/** The rows of the input with their plans, in their order. Throws what reading the input throws. */
export async function* plannedRows<S>(planning: Planning<S>): AsyncGenerator<PlannedRow> {
  for await (const { row, line, cells, plan } of unplannedRows(planning)) yield { row, line, cells, ...(await plan()) };
}
