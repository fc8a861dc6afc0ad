import type { Operation, RecordType, Type } from '../../contract/build.js';
import { isNested, itemRecord, memberAt, scalarOf } from '../../contract/walk.js';
import type { ProbedList } from '../../client/calibrate.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { valueAt, defined, isRecord, type RecordValue } from '../../core/values/value.js';
import { listNamed, listNames, pathIn } from '../../kit/operations/list.js';
import { cellText } from '../../formats/columns.js';
import { encodeFields } from '../../soap/codec/encode.js';
import { idIn, listPath, ownId, type AnswerForm, type ListPlan } from '../plan.js';
import {
  pageParameters,
  pageRequest,
  type PageChoice,
  type PageParameters,
  pathText,
  periodNamesOf,
  type Path,
  type PeriodNames,
} from './parameters.js';
import { readingImport, operationNamed } from '../../kit/operations/described.js';
import type { Context } from '../../kit/host/context.js';

interface ReadFlags {
  readonly profile?: string | undefined;
  readonly read: boolean;
}

/**
 * Throws `usage` for an operation that may write.
 * @param asRead gives the command line that says for good that it only reads
 */
export function refuseWrite({ name, access, source }: Operation, asRead: () => string): void {
  if (access === 'read') return;
  if (source !== 'imported') throw usage('--list', `${name} writes, and --list would call it for each page`);
  throw usage('--list', `${name} counts as a write, and --list would call it for each page`, {
    advice: `If it only reads, use --read, or set it permanently: ${asRead()}.`,
    hint: '--read',
  });
}

/** The operation of a name, of which a list is read. Throws `usage` for one that is not known, or that may write. */
export function readOperation(context: Context, name: string, { profile, read }: ReadFlags): Operation {
  const { operation, isKnown } = operationNamed(context, name, { profile, read, write: false });
  if (!isKnown) {
    throw usage('--list', `the answers of ${operation.name} are not described, so relctl cannot read a list of them`, {
      advice: 'The WSDL of the service describes them.',
      hint: 'relctl operations import',
    });
  }
  refuseWrite(operation, () => readingImport(context, profile, operation.name));
  return operation;
}

/** Which list of an operation is meant, and how it is read, where its types do not show it. */
export interface ListChoice extends PageChoice {
  readonly list: string;
  /** The member that tells records apart; undefined for their Id. */
  readonly key?: string | undefined;
}

/** A list of an operation of which nothing is known but its types. */
export interface OperationList extends Omit<ListPlan, 'input'> {
  readonly path: string;
  readonly record: RecordType;
  /** The member of a record that tells it from others; undefined where none does. */
  readonly key: Path | undefined;
  /** The parameters that begin and end its period; undefined where it has none. */
  readonly period?: PeriodNames;
  /** The parameters of a page; undefined where the list comes as a whole. */
  readonly pages: PageParameters | undefined;
}

const idTypes: ReadonlySet<string | undefined> = new Set(['guid', 'string', 'int', 'short', 'long', 'decimal']);

/** The path of the member that tells records apart: the one named, or their Id; undefined where there is none. Throws `usage`. */
function keyOf({ fields, name }: RecordType, key: string | undefined): Path | undefined {
  const path = pathIn(fields, key ?? 'Id');
  const type = path === undefined ? undefined : memberAt(fields, path)?.type;
  if (idTypes.has(scalarOf(type))) return path;
  if (key === undefined) return undefined;
  const what =
    path === undefined ? `${name} has no member '${key}'` : `${pathText(path)} of ${name} is no text or number`;
  throw usage('--key', `${what}, so it cannot identify records`);
}

/** Gives the Id of a record by a member; undefined for a GUID in the member Id, by which all lists go. */
function idBy(record: RecordType, key: Path | undefined): AnswerForm['idOf'] {
  const type = key === undefined ? undefined : memberAt(record.fields, key)?.type;
  const isGuid = scalarOf(type) === 'guid';
  if (key === undefined || (isGuid && pathText(key) === 'Id')) return undefined;
  return (each) => {
    const value = valueAt(each, key) ?? null;
    if (isGuid) return ownId({ Id: value });
    return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
  };
}

const mostColumns = 6;

/** The first members of a record that are one value each; of one that has none, its first members. */
function tableOf({ fields }: RecordType): readonly string[] {
  const all = Object.entries(fields);
  const single = all.filter(([, { type }]) => !isNested(type));
  return (single.length > 0 ? single : all).slice(0, mostColumns).map(([name]) => name);
}

/**
 * The list of an operation of which nothing is known but its types: where it is in the answer, how its pages are asked for,
 * what tells its records apart. Throws `usage` for what is no list, and where it is not clear how it pages.
 */
export function operationList(operation: Operation, choice: ListChoice): OperationList {
  const { path, type } = listNamed(operation, choice.list);
  const record = itemRecord(type);
  const pages = pageParameters(operation, choice);
  const key = keyOf(record, choice.key);
  const { paged = pathText(path), ...whole } = operation;
  return {
    operation: pages === undefined ? whole : { ...whole, paged },
    path: pathText(path),
    record,
    key,
    pages,
    shows: path.at(-1) ?? '',
    answer: { holders: path.slice(0, -1), idOf: idBy(record, key) },
    table: tableOf(record),
    request: { page: pages && pageRequest(pages) },
    ...defined({ period: periodNamesOf(operation) }),
  };
}

/** The list of an operation whose pages can be read by yes and no alone; undefined where that is not so. */
function probedOf(operation: Operation, list: string): ProbedList | undefined {
  const operationLists = operationList(operation, { list });
  const page = operationLists.request?.page;
  if (operationLists.pages?.size === undefined || page === undefined) return undefined;
  const { parameters, name } = operation;
  const flags = Object.entries(parameters).filter(([, { type, presence }]) => presence === 'req' && isBoolean(type));
  const base = Object.fromEntries(flags.map(([each]) => [each, false]));
  encodeFields(parameters, page.of(base, { number: 1, size: 1 }), { direction: 'request', of: name });
  return {
    operation,
    path: listPath(operationLists),
    input: (number) => page.of(base, number),
    idOf: (record) => idIn(operationLists)(record) ?? JSON.stringify(record),
  };
}

const isBoolean = (type: Type): boolean => scalarOf(type) === 'boolean';

/** The first list of some operations that only reads, has pages, and needs nothing else; undefined where none does. */
export function probedList(operations: readonly Operation[]): ProbedList | undefined {
  const lists = operations.flatMap((each) =>
    each.access === 'read' ? listNames(each).map((list) => [each, list] as const) : [],
  );
  for (const [operation, list] of lists) {
    try {
      const probed = probedOf(operation, list);
      if (probed !== undefined) return probed;
    } catch (thrown) {
      // It cannot be told how it pages, or it needs more.
      if (RelctlError.from(thrown).kind !== 'usage') throw thrown;
    }
  }
  return undefined;
}

/** Throws `usage` for a request that says what each call for a page says. */
export function refusePageValues({ operation, pages }: OperationList, input: RecordValue): void {
  for (const parameter of [pages?.number, pages?.size]) {
    const value = parameter === undefined ? undefined : valueAt(input, parameter.path);
    if (parameter === undefined || value === undefined || isRecord(value)) continue;
    throw usage('--param', `--list sets ${pathText(parameter.path)} of ${operation.name} itself, for each page`, {
      advice: 'Omit it. The setting pageSize sets the rows per page.',
      ...(parameter === pages?.size ? { hint: `--set pageSize=${cellText(value)}` } : {}),
    });
  }
}
