import { openSession, type Session } from '../kit/session/session.js';
import { baseTitle } from '../formats/edits/base.js';
import { usage } from '../core/errors/relctl-error.js';
import { note } from '../kit/host/notes.js';
import { baseColumns } from './rows/row-base.js';
import { checkFields, type Target, targetsOf, withHeld } from './columns.js';
import type { BatchInput, RowsText } from './rows/rows-text.js';
import type { InputFile } from '../formats/readers/input.js';
import type { Planning } from './rows/planned-rows.js';
import { hasSurePoint, heldIn, type Reading } from './rows/read-row.js';
import type { CommonFlags } from '../kit/flags/common.js';
import type { Context } from '../kit/host/context.js';
import { openGiven } from '../kit/host/environment.js';
import { openInput } from '../formats/readers/open.js';
import type { BulkFlags } from './flags.js';

async function openFile(context: Context, flags: BulkFlags): Promise<InputFile> {
  const input = await openInput({
    file: flags.file ?? '-',
    form: flags['input-format'],
    delimiter: flags.delimiter,
    sheet: flags.sheet,
    stream: (file) => openGiven(context, file),
  });
  context.onClose(() => input.close());
  return input;
}

/** Says how many rows had no value, of the reading that ended last. */
export async function reportSkipped(context: Context, flags: CommonFlags, { name, skipped }: InputFile): Promise<void> {
  if (skipped === 0) return;
  const rows = skipped === 1 ? '1 row without any value was' : `${skipped} rows without any value were`;
  await note(context, flags, `${name}: ${rows} left out`);
}

function constantsOf({ args, flags, places }: BatchInput): Readonly<Record<string, unknown>> {
  // The file of rows is a flag of the same name as the argument of `activity attach`.
  const all: Readonly<Record<string, unknown>> = { ...flags, file: undefined, ...args };
  return Object.fromEntries([...places.keys()].flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}

interface Opened<S> {
  readonly session: Session;
  readonly planning: Planning<S>;
}

/** Throws `usage` for a file without `_base` of records that are written whole. */
function checkBase(
  targets: readonly Target[],
  file: string,
  { text, hasBase }: { readonly text: Pick<RowsText<unknown>, 'base'>; readonly hasBase: boolean },
): void {
  if (!hasBase || text.base !== 'needed' || targets.some(({ kind }) => kind === 'base')) return;
  throw usage(
    '--file',
    `${file} has no column ${baseTitle}, and records are written whole: what was edited is not known`,
    {
      advice:
        'Export it with --for-edit, as `relctl help writes` tells; --no-base writes its cells, whatever the records are by now.',
      hint: '--no-base',
    },
  );
}

/** Throws `usage` where an empty text is to make values empty, and an empty cell says nothing: the flag would do nothing. */
function checkNullAs(nullAs: string | undefined, targets: readonly Target[]): void {
  if (nullAs !== '' || targets.some(({ kind }) => kind === 'base')) return;
  throw usage(
    '--null-as',
    `an empty cell leaves a value as it is: without the column ${baseTitle} nobody emptied it, and --null-as takes a text`,
    '--null-as NULL',
  );
}

const hasDecimalPoint = ({ point, columns }: InputFile): boolean =>
  point === 'decimal' || (point === 'decimal-as-exported' && columns.includes(baseTitle));

async function pointedColumns(input: InputFile, targets: readonly Target[]): Promise<ReadonlySet<number>> {
  const unsure = new Set([...targets.keys()].filter((at) => heldIn(targets[at]) === 'decimal'));
  const pointed = new Set<number>();
  if (unsure.size === 0) return pointed;
  for await (const { cells } of input.rows()) {
    for (const at of unsure) {
      const cell = cells[at];
      if (typeof cell !== 'string' || !hasSurePoint(cell)) continue;
      unsure.delete(at);
      pointed.add(at);
    }
    if (unsure.size === 0) break;
  }
  return pointed;
}

async function decimalsOf(
  flags: Pick<BulkFlags, 'decimal'>,
  input: InputFile,
  targets: readonly Target[],
): Promise<Pick<Reading, 'decimal' | 'pointed'>> {
  const decimal = flags.decimal ?? (hasDecimalPoint(input) ? 'point' : 'doubtful');
  return decimal === 'doubtful' ? { decimal, pointed: await pointedColumns(input, targets) } : { decimal };
}

/**
 * Opens the rows of a file, and reads once what they need. Throws `usage` for a file that cannot be read and for columns that
 * stand for nothing; `profile`, and what calls throw.
 */
export async function openPlanning<S>(batchInput: BatchInput, text: RowsText<S>): Promise<Opened<S>> {
  const { context, flags, places } = batchInput;
  const input = text.input?.(batchInput) ?? (await openFile(context, flags));
  const { members, record, ownColumn: own, ofAll } = text;
  const hasBase = text.base !== undefined && flags['no-base'] !== true;
  const known = { places, members, record, isField: () => text.hasFields, own, ofAll, hasBase };
  const named = targetsOf(input, known, flags);
  checkBase(named, input.name, { text, hasBase });
  const nullAs = flags['null-as'];
  checkNullAs(nullAs, named);
  for (const said of input.said) await note(context, flags, said);
  const session = await openSession(context, flags);
  const fieldTitles = named.flatMap((target) => (target.kind === 'field' ? [target.name] : []));
  const shared = await text.open({ context, session, flags, fieldTitles });
  const finder = text.fields?.(shared);
  if (finder !== undefined) checkFields(named, known, finder);
  const targets = finder === undefined ? named : withHeld(named, finder);
  const constants = constantsOf(batchInput);
  const { columns, name: file } = input;
  const fieldIdOf = (title: string): string => finder?.idOf(title) ?? title;
  const base = baseColumns({ file, columns, targets, fieldIdOf, argument: record.argument, constants });
  const reading: Reading = {
    columns,
    targets,
    places,
    nullAs,
    ...(await decimalsOf(flags, input, targets)),
    constants,
    base,
    allowed: session.connection.allowedValues,
  };
  return { session, planning: { input, reading, text, shared } };
}
