import { refuseWith } from '../../kit/flags/define.js';
import { formatFor } from '../../kit/output/record-output.js';
import type { CsvFlags } from '../../kit/flags/csv.js';
import { opt, recordWithoutPresence, req, type Field, type RecordType } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { baseOf, baseTitle } from '../../formats/edits/base.js';
import type { CellKind } from '../../formats/edits/cell-state.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { inAnyCase } from '../../core/text/text.js';
import { cellText, allColumns, chosenColumns } from '../../formats/columns.js';
import type { FormatName } from '../../formats/writers/index.js';
import { defined, type RecordValue, type Value } from '../../core/values/value.js';
import { itemType, ownId, type ListFlags, type ListPlan, type ListRun } from '../plan.js';

/** A column of a file that is to be edited. */
export interface EditColumn {
  /** Its title; one that begins with _ is not read again. */
  readonly title: string;
  readonly field: Field;
  /** What it is called in a base, and what tells its values apart; undefined for one that is only looked at. */
  readonly state?: { readonly name: string; readonly kind: CellKind };
  readonly valueOf: (record: RecordValue) => Value | undefined;
}

/** A list whose records are written to be edited. */
export interface EditList {
  readonly plan: ListPlan;
  /** Its columns, without that of the Id, which comes first, and that of the bases, which comes last. */
  readonly columns: readonly EditColumn[];
}

type Flags = ListFlags & Partial<CsvFlags> & Readonly<Record<string, unknown>>;

const idTitle = 'Id';

function checkFlags(flags: Flags, format: FormatName): void {
  refuseWith('--for-edit', {
    '--no-header': flags['no-header'],
    '--null-as': flags['null-as'],
    '--query': flags.query,
    '--count': flags.count,
    '--with-names': flags['with-names'],
    '--explode': flags.explode,
    '--join': flags.join,
    '--changes-since': flags['changes-since'],
  });
  if (format === 'csv' || format === 'xlsx') return;
  throw usage('--output', `--for-edit writes CSV or xlsx, not ${format}`, '-o csv');
}

const typeOf = (columns: readonly EditColumn[], item: RecordType): RecordType =>
  recordWithoutPresence(item.name, item.doc, {
    [idTitle]: item.fields[idTitle] ?? req(string, 'Identifies the record.'),
    ...Object.fromEntries(columns.map(({ title, field }) => [title, field])),
  });

interface PrintedEditColumn extends EditColumn {
  readonly shownAs: string;
}

/** The columns that --columns names, all without it; the Id comes by itself. Throws `usage`. */
function printedColumns(
  all: readonly EditColumn[],
  type: RecordType,
  columns: string | undefined,
): readonly PrintedEditColumn[] {
  const byTitle = new Map(all.map((each) => [each.title, each]));
  const chosen = columns === undefined ? allColumns(type) : chosenColumns(type, withoutBase(columns));
  const moved = chosen.find(({ title, path: [name] }) => name === idTitle && title !== idTitle);
  if (moved !== undefined)
    throw usage('--columns', `--for-edit needs the title ${idTitle}, which identifies the record of a row`);
  return chosen.flatMap(({ title, path: [name = ''] }) => {
    const column = byTitle.get(name);
    return column === undefined ? [] : [{ ...column, shownAs: title }];
  });
}

/** --columns may name the column of the bases, which is there anyway. */
const withoutBase = (columns: string): string =>
  columns
    .split(',')
    .filter((word) => inAnyCase(word.trim(), [baseTitle]) === undefined)
    .join(',');

function rowOf(record: RecordValue, printedEditColumns: readonly PrintedEditColumn[]): RecordValue {
  const id = ownId(record);
  if (id === undefined)
    throw new RelctlError('bad-answer', 'relctl cannot edit a record without Id', { facts: { code: 'no-id' } });
  const values = printedEditColumns.map(({ shownAs: printedAs, valueOf }) => [printedAs, valueOf(record)] as const);
  const states = printedEditColumns.flatMap(({ state, valueOf }) =>
    state === undefined ? [] : [{ ...state, text: cellText(valueOf(record)) }],
  );
  return { [idTitle]: id, ...defined(Object.fromEntries(values)), [baseTitle]: baseOf(id, states) };
}

/**
 * The same list as a file that is edited and fed back: its Id first, then the columns that may change, then `_base`. CSV
 * begins with a byte order mark, because spreadsheets take it for another encoding otherwise; a workbook has texts. Throws
 * `usage`.
 */
export function forEdit(run: ListRun, { plan, columns }: EditList): { readonly run: ListRun; readonly plan: ListPlan } {
  const flags: Flags = run.flags;
  const item = itemType(plan);
  const format = formatFor(run.context, run.session, { flags: run.flags, record: item, shape: 'list' });
  checkFlags(flags, format);
  const printed = printedColumns(columns, typeOf(columns, item), flags.columns);
  const type = recordWithoutPresence(item.name, item.doc, {
    ...typeOf([], item).fields,
    ...Object.fromEntries(printed.map(({ shownAs: printedAs, field }) => [printedAs, field])),
    [baseTitle]: opt(string, 'State of the cells of the row; do not edit it.'),
  });
  return {
    run: { ...run, flags: { ...run.flags, columns: undefined } },
    plan: { ...plan, printed: { type, of: (record) => rowOf(record, printed) }, table: [idTitle] },
  };
}
