import { RelctlError, perhaps, usage } from '../core/errors/relctl-error.js';
import { type InputFile, type Cell, cellForMessage } from '../formats/readers/input.js';
import { inAnyCase, nearest } from '../core/text/text.js';
import type { OptionFacts, Reader } from '../kit/flags/define.js';
import { defined } from '../core/values/value.js';
import { baseTitle, type EditedCell, RowBase } from '../formats/edits/base.js';
import type { BulkFlags } from './flags.js';

/** What a member or a field holds, where its cells are read by it. */
export type Held = 'decimal' | 'whole' | 'time';

/** What a column stands for. */
export type Target =
  | { readonly kind: 'value'; readonly name: string; readonly reader?: Reader<unknown> }
  | { readonly kind: 'field'; readonly name: string; readonly holds?: Held | undefined }
  /** A field whose value finds the record, and is not written. */
  | { readonly kind: 'finds'; readonly name: string }
  | { readonly kind: 'base'; readonly name: string }
  | { readonly kind: 'ignored' };

/** An argument or a flag that a row may give. */
export interface RowParameter extends OptionFacts {
  readonly name: string;
  readonly required?: boolean | undefined;
}

/** What columns may stand for. */
export interface Targets {
  readonly places: ReadonlyMap<string, RowParameter>;
  /** Names of members of records, and the arguments and flags that they are. */
  readonly members: Readonly<Record<string, string>>;
  /** True where a title may be that of a field. */
  readonly hasFields: boolean;
  /** What a title stands for that is neither an argument nor a flag, such as `translation.nl-NL`. Throws `usage`. */
  readonly ownColumn?: ((title: string) => RowParameter | undefined) | undefined;
  /** Flags that only the command line gives, for all rows. */
  readonly ofAll?: readonly string[] | undefined;
  /** The argument that says which record a row is about, and the members that may say it too, the best first. */
  readonly record: { readonly argument: string; readonly members: readonly string[] };
  /** True where the column `_base` tells the state of cells when they were exported. */
  readonly hasBase: boolean;
}

/** Columns of results begin with it: they are ignored where results are fed back. */
export const ownPrefix = '_';

/** The column of results that tells what became of a row. */
export const outcomeTitle = `${ownPrefix}outcome`;

const valueOf = ({ name, reader }: RowParameter): Target => ({ kind: 'value', name, ...defined({ reader }) });

function parameterNamed(word: string, { places: parameters, members }: Targets): RowParameter | undefined {
  const flag = word.replace(/^--/, '').replace(/\s+/g, '-');
  const name = inAnyCase(flag, [...parameters.keys()]) ?? members[inAnyCase(word, Object.keys(members)) ?? ''];
  return parameters.get(name ?? '');
}

function targetOf(word: string, targets: Targets): Target | undefined {
  const own = targets.ownColumn?.(word);
  if (own !== undefined) return valueOf(own);
  const parameter = parameterNamed(word, targets);
  if (parameter !== undefined && targets.ofAll?.includes(parameter.name) !== true) return valueOf(parameter);
  if (targets.hasFields) return { kind: 'field', name: word };
  if (parameter === undefined) return undefined;
  throw usage(
    word,
    `the column '${word}' is the flag --${parameter.name}, which is set only on the command line, for all rows`,
  );
}

function mapped(texts: readonly string[] = [], columns: readonly string[]): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    const [title, word] = [titleNamed(text.slice(0, Math.max(at, 0)), columns, '--map'), text.slice(at + 1).trim()];
    if (title === undefined) throw usage('--map', `--map needs COLUMN=FLAG, not '${text}'`);
    if (pairs.has(title)) throw usage('--map', `--map maps the column '${title}' twice`);
    pairs.set(title, word);
  }
  return pairs;
}

function suggestedWords(
  word: string,
  { places: parameters, members, ofAll = [] }: Targets,
  { names = [], said = [] }: { readonly names?: readonly string[]; readonly said?: readonly string[] } = {},
): string {
  const own = [...parameters.keys()].filter((name) => !ofAll.includes(name));
  const near = nearest(word.trim(), [...own, ...Object.keys(members), ...names]);
  const words = [...said, ...(near === undefined ? [] : [`is it ${near}?`])];
  return words.length === 0 ? '' : ` (${words.join('; ')})`;
}

interface UnknownColumn {
  readonly title: string;
  readonly word: string | undefined;
}

/** The error for all columns that stand for nothing: whoever mends one wants to know of the others. */
function unknownColumns(unknown: readonly UnknownColumn[], targets: Targets): RelctlError {
  const descriptions = unknown.map(({ title, word }) => {
    const said = word === undefined ? [] : [`--map says ${word}`];
    return `'${title}'${suggestedWords(word ?? title, targets, { said })}`;
  });
  const what =
    descriptions.length === 1 ? `the column ${descriptions.join()} is` : `the columns ${descriptions.join(', ')} are`;
  return usage(unknown[0]?.title, `${what} not known: --map COLUMN=FLAG, or --map COLUMN= to ignore it`);
}

function titleNamed(word: string, columns: readonly string[], flag: string): string | undefined {
  const text = word.trim();
  if (text === '') return undefined;
  const title = columns.find((each) => each === word) ?? inAnyCase(text, columns);
  if (title !== undefined) return title;
  throw usage(
    flag,
    `${flag} names '${text}', which is not a column; the columns are ${columns.join(', ')}`,
    perhaps(text, nearest(text, columns)),
  );
}

/** How the fields of a record are found. */
export interface FieldFinder {
  /** The id of the field of a title. Throws `usage`. */
  readonly idOf: (title: string) => string;
  /** What the field of a title is known to hold. Throws `usage`. */
  readonly heldBy?: (title: string) => Held | undefined;
  readonly names: readonly string[];
}

const isField = (target: Target): target is Target & { readonly kind: 'field' | 'finds' } =>
  target.kind === 'field' || target.kind === 'finds';

/** The same columns, of which those of fields say what they hold. */
export const withHeld = (targets: readonly Target[], { heldBy }: FieldFinder): readonly Target[] =>
  targets.map((target) => (target.kind === 'field' ? { ...target, holds: heldBy?.(target.name) } : target));

function together(errors: readonly RelctlError[]): RelctlError | undefined {
  const message = `${errors.map((error) => error.message).join('; ')}: --map COLUMN=FLAG, or --map COLUMN= to ignore it`;
  return errors[0]?.but({ message });
}

/** Throws `usage` for columns that are no field, all at once, and for two that are the same. */
export function checkFields(chosen: readonly Target[], targets: Targets, { idOf, names }: FieldFinder): void {
  const seen = new Map<string, string>();
  const errors: RelctlError[] = [];
  for (const { kind, name } of chosen.filter(isField)) {
    const id = idOfField(name, kind === 'field' ? suggestedWords(name, targets, { names }) : '')?.toLowerCase();
    if (id === undefined) continue;
    const other = seen.get(`${kind} ${id}`);
    if (other !== undefined) throw usage(name, `the columns '${other}' and '${name}' are the same field, ${id}`);
    seen.set(`${kind} ${id}`, name);
  }
  const error = together(errors);
  if (error !== undefined) throw error;

  function idOfField(title: string, suggestion: string): string | undefined {
    try {
      return idOf(title);
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.kind !== 'usage') throw thrown;
      errors.push(error.but({ message: `${error.message}${suggestion}` }));
      return undefined;
    }
  }
}

function checkOnce(columns: readonly string[], chosen: readonly Target[]): void {
  const seen = new Map<string, string>();
  for (const [index, target] of chosen.entries()) {
    if (target.kind === 'ignored') continue;
    const key = `${target.kind} ${target.name}`;
    const other = seen.get(key);
    const title = columns[index] ?? '';
    if (other !== undefined) throw usage(title, `the columns '${other}' and '${title}' are the same: ${target.name}`);
    seen.set(key, title);
  }
}

function keyTitle(words: readonly string[], { argument, members }: Targets['record']): string | undefined {
  if (inAnyCase(argument, words) !== undefined) return undefined;
  for (const member of members) {
    const title = inAnyCase(member, words);
    if (title !== undefined) return title;
  }
  return undefined;
}

const ignoredColumn: Target = { kind: 'ignored' };

function ownColumn(title: string, { hasBase }: Targets): Target | undefined {
  if (hasBase && title.toLowerCase() === baseTitle) return { kind: 'base', name: baseTitle };
  return title.startsWith(ownPrefix) ? ignoredColumn : undefined;
}

/** What each column of a file stands for. Throws `usage` for a column that stands for nothing, and for two that are the same. */
export function targetsOf(
  { columns }: Pick<InputFile, 'columns'>,
  targets: Targets,
  flags: Pick<BulkFlags, 'map'> & { readonly 'find-by'?: unknown },
): readonly Target[] {
  const map = mapped(flags.map, columns);
  const words = (flags['find-by'] ?? []) as readonly string[];
  const finding = words.map((word) => titleNamed(word, columns, '--find-by'));
  const key = keyTitle(
    columns.map((title) => map.get(title)?.replace(/^--/, '') ?? title),
    targets.record,
  );
  const unknown: UnknownColumn[] = [];
  const chosen = columns.map((title): Target => {
    const word = map.get(title);
    // What finds a record is not written: it may be ignored as well.
    if (finding.includes(title)) return { kind: 'finds', name: word || title };
    const silent = word === undefined ? ownColumn(title, targets) : word === '' ? ignoredColumn : undefined;
    if (silent !== undefined) return silent;
    const named = word ?? title;
    const target = targetOf(named === key ? targets.record.argument : named, targets);
    if (target === undefined) unknown.push({ title, word });
    return target ?? ignoredColumn;
  });
  if (unknown.length > 0) throw unknownColumns(unknown, targets);
  checkOnce(columns, chosen);
  return chosen;
}

/** The columns of a file that has the column `_base`. */
export interface BaseColumns {
  /** The places of the column itself, and of the Id. */
  readonly at: number;
  readonly idAt: number;
  /** What each column is called in a base; undefined for one that stands for nothing. */
  readonly names: readonly (string | undefined)[];
}

/** The name of a field in a base, by its id. */
export const fieldName = (id: string): string => `field ${id.toLowerCase()}`;

interface BaseInput {
  readonly file: string;
  readonly columns: readonly string[];
  readonly targets: readonly Target[];
  /** Id of the field of a title. Throws `usage`. */
  readonly fieldIdOf: (title: string) => string;
  /** The argument that says which record a row is about. */
  readonly argument: string;
  /** What the command line says for all rows. */
  readonly constants: Readonly<Record<string, unknown>>;
}

/**
 * The columns of a file with `_base`; undefined for one without. Throws `usage` where the Id has no column, and for a flag
 * that says for all rows what the file has a column of.
 */
export function baseColumns({
  file,
  columns,
  targets,
  fieldIdOf,
  argument,
  constants,
}: BaseInput): BaseColumns | undefined {
  const at = targets.findIndex(({ kind }) => kind === 'base');
  if (at === -1) return undefined;
  const names = targets.map((target) => {
    if (target.kind === 'field') return fieldName(fieldIdOf(target.name));
    return target.kind === 'value' ? target.name : undefined;
  });
  const isId = (index: number): boolean => columns[index]?.toLowerCase() === 'id';
  const idAt = targets.findIndex((target, index) => target.kind === 'value' && target.name === argument && isId(index));
  if (idAt === -1)
    throw usage('--file', `${file} has the column ${baseTitle} and no column Id: relctl finds records by their Id`, {
      advice: 'Restore the column Id of the export.',
    });
  const both = names.find((name) => name !== undefined && constants[name] !== undefined);
  if (both !== undefined)
    throw usage(`--${both}`, `--${both} is for rows without a column for it, and ${file} has one`);
  return { at, idAt, names };
}

/** The base of a row; or what is wrong with it, and of which column. */
export function readBase(
  { at, idAt }: BaseColumns,
  cells: readonly Cell[],
): RowBase | { readonly at: number; readonly wrong: string } {
  const [text, id] = [cellForMessage(cells[at]), cellForMessage(cells[idAt])];
  if (text === '') return { at, wrong: 'is empty: the row was not exported, and an update adds no records' };
  if (id === '') return { at: idAt, wrong: 'is empty: relctl finds records by their Id' };
  const base = RowBase.read(text.trim(), id);
  if (base === undefined) return { at, wrong: 'was edited: take the row from a new export' };
  if (base.isOfRecord) return base;
  return {
    at: idAt,
    wrong: `is not the Id that was exported with this ${baseTitle}: do not edit Ids, and move or sort only whole rows`,
  };
}

const damaged = (text: string): string =>
  `'${text}' is what a spreadsheet made of the exported value, not an edit: import the columns as text there, ` +
  'or export a workbook with -o xlsx; make an intended change without --file';

const notExported = 'was not exported in this row, so relctl does not know its former value';

const emptied =
  'was emptied, and an empty cell does not change the value: --null-as TEXT sets a text that makes it empty, and ' +
  "--null-as '' makes empty cells do that";

/**
 * What a cell is by the base of its row: only edited ones say something.
 * @param cell null, and the text of --null-as, make the value empty
 */
export function cellState(
  base: RowBase,
  { name, text, hasComma }: Omit<EditedCell, 'text'> & { readonly text: string | null },
  nullAs: string | undefined,
): 'untouched' | 'edited' | { readonly wrong: string } {
  const cell = { name, text: text ?? '', hasComma };
  if (!base.hasColumn(name)) return cell.text === '' ? 'untouched' : { wrong: notExported };
  if (base.isUntouched(cell)) return 'untouched';
  if (text === null || text === nullAs) return base.isUntouched({ ...cell, text: '' }) ? 'untouched' : 'edited';
  if (text === '') return { wrong: emptied };
  return base.isDamaged(cell) ? { wrong: damaged(text) } : 'edited';
}
