import type { Field, Fields, Operation, RecordType, Type } from '../../contract/build.js';
import { isTooDeep, memberAt, scalarOf } from '../../contract/walk.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { nearest } from '../../core/text/text.js';
import { pathIn } from '../../kit/operations/list.js';
import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import type { PageRequest } from '../plan.js';

/** Names that lead to a parameter, through records. */
export type Path = readonly string[];

/** A parameter that is a number, or the text of one. */
interface NumberParameter {
  readonly path: Path;
  readonly type: Type;
}

/** A path as it is typed. */
export const pathText = (path: Path): string => path.join('.');

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

const wholeTypes: ReadonlySet<string | undefined> = new Set(['int', 'short', 'long', 'decimal']);

const isNumber = (field: Field | undefined): field is Field => wholeTypes.has(scalarOf(field?.type));

function pathsIn(fields: Fields, above: Path = [], holders: readonly RecordType[] = []): readonly Path[] {
  return Object.entries(fields).flatMap(([name, { type }]): readonly Path[] => {
    const path = [...above, name];
    if (type.kind !== 'record') return [path];
    return isTooDeep(type, holders) ? [] : pathsIn(type.fields, path, [...holders, type]);
  });
}

/** The parameters whose last name is one of these, which have small letters alone. */
const parametersCalled = ({ parameters }: Operation, names: ReadonlySet<string>): readonly Path[] =>
  pathsIn(parameters).filter((path) => names.has(plain(path.at(-1) ?? '')));

/** The parameters that take numbers, as they are typed. */
export const numberParameters = ({ parameters }: Operation): readonly string[] =>
  pathsIn(parameters)
    .filter((path) => isNumber(memberAt(parameters, path)))
    .map(pathText);

const pageFlag = '--page-params';

/** The parameter that the flag names. Throws `usage` for one that is not there, or takes no number. */
function parameterNamed(operation: Operation, name: string): NumberParameter {
  const { parameters } = operation;
  const path = pathIn(parameters, name) ?? [];
  const type = memberAt(parameters, path)?.type;
  if (type !== undefined && (wholeTypes.has(scalarOf(type)) || scalarOf(type) === 'string')) return { path, type };
  const known = numberParameters(operation);
  const there = known.length === 0 ? 'none is a number' : `the numeric parameters are ${known.join(', ')}`;
  const what = `${operation.name} has no parameter '${name}' that is a number`;
  throw usage(pageFlag, `${what}; ${there}`, perhaps(name, nearest(name, known)));
}

/** The one parameter that is called so and takes a number; undefined for none. Throws `usage` for several. */
function parameterCalled(operation: Operation, names: ReadonlySet<string>): NumberParameter | undefined {
  const all = parametersCalled(operation, names).flatMap((path): readonly NumberParameter[] => {
    const field = memberAt(operation.parameters, path);
    return isNumber(field) ? [{ path, type: field.type }] : [];
  });
  const [only, second] = all;
  if (only === undefined || second === undefined) return only;
  const words = all.map(({ path }) => pathText(path)).join(', ');
  throw usage(
    pageFlag,
    `several parameters of ${operation.name} match: ${words}`,
    `${pageFlag} ${pathText(only.path)}`,
  );
}

const fromNames: ReadonlySet<string> = new Set(['from', 'fromdate', 'datefrom', 'fromdatetime', 'modifiedfrom']);
const toNames: ReadonlySet<string> = new Set(['to', 'todate', 'dateto', 'todatetime', 'modifiedto']);

/** Names of the parameters that begin and end a period. */
export interface PeriodNames {
  readonly from: string;
  readonly to: string;
}

/** The names of the parameters that begin and end the period of an operation; undefined where it has none. */
export function periodNamesOf({ parameters }: Operation): PeriodNames | undefined {
  const times = Object.entries(parameters).filter(([, { type }]) => scalarOf(type) === 'dateTime');
  const [from, otherFrom] = times.filter(([name]) => fromNames.has(plain(name)));
  const [to, otherTo] = times.filter(([name]) => toNames.has(plain(name)));
  const isSure = otherFrom === undefined && otherTo === undefined;
  return from === undefined || to === undefined || !isSure ? undefined : { from: from[0], to: to[0] };
}

/** How pages are asked for, where names do not show it. */
export interface PageChoice {
  /** The parameter that takes the number of a page; `none` for a list that comes as a whole. */
  readonly pageParam?: string | undefined;
  /** The parameter that takes the number of rows of a page. */
  readonly sizeParam?: string | undefined;
}

/** The parameters of a page. */
export interface PageParameters {
  readonly number: NumberParameter;
  /** Undefined for an operation that decides the size itself. */
  readonly size: NumberParameter | undefined;
}

/** Says that a list comes as a whole. */
export const noPages = 'none';

const numberNames: ReadonlySet<string> = new Set(
  'pagenumber page pageno pagenr pagenum pageindex currentpage'.split(' '),
);

const sizeNames: ReadonlySet<string> = new Set(
  'pagesize pagelength rowsperpage itemsperpage recordsperpage perpage'.split(' '),
);

const otherNames: ReadonlySet<string> = new Set(
  (
    'offset skip startrow startindex startat startrecord firstrow firstrecord rowoffset cursor ' +
    'continuationtoken pagetoken nexttoken nextpagetoken'
  ).split(' '),
);

/** Throws `usage` for an operation that seems to give its list in parts, and not by numbers of pages. */
function refuseOtherPaging(operation: Operation, size: NumberParameter | undefined): void {
  const { name } = operation;
  const [other = size?.path] = parametersCalled(operation, otherNames);
  if (other === undefined) return;
  throw usage(pageFlag, `${name} takes ${pathText(other)}, and no parameter that relctl knows as a page number`, {
    advice: `Name the page number with --page-params. If one answer has the whole list, use ${noPages} and set the others with --param.`,
    hint: `${pageFlag} ${noPages}`,
  });
}

/**
 * How an operation takes pages: by the parameters that are named, or that have a usual name; undefined for one whose list
 * comes as a whole. Throws `usage` where several may be meant, and for an operation that pages in another way.
 */
export function pageParameters(operation: Operation, { pageParam, sizeParam }: PageChoice): PageParameters | undefined {
  if (pageParam?.toLowerCase() === noPages && pathIn(operation.parameters, noPages) === undefined) {
    if (sizeParam === undefined) return undefined;
    throw usage(pageFlag, `${noPages} and the number of rows of a page cannot be used together`);
  }
  const parameter = (name: string | undefined, usual: ReadonlySet<string>): NumberParameter | undefined =>
    name === undefined ? parameterCalled(operation, usual) : parameterNamed(operation, name);
  const size = parameter(sizeParam, sizeNames);
  const number = parameter(pageParam, numberNames);
  if (number !== undefined) return { number, size };
  refuseOtherPaging(operation, size);
  return undefined;
}

/** The record with a value put at a path; records on the way are made where they are missing. */
function put(record: RecordValue, [name = '', ...rest]: Path, value: Value): RecordValue {
  if (rest.length === 0) return { ...record, [name]: value };
  const inner = record[name];
  return { ...record, [name]: put(isRecord(inner) ? inner : {}, rest, value) };
}

/** The number as the type of its parameter has it: other types than int and short are texts. */
const asType = ({ type }: NumberParameter, value: number): Value =>
  scalarOf(type) === 'int' || scalarOf(type) === 'short' ? value : String(value);

/** The request for a page by these parameters. */
export const pageRequest = ({ number, size }: PageParameters): PageRequest => ({
  hasSize: size !== undefined,
  of(input, page) {
    const numbered = put(input, number.path, asType(number, page.number));
    return size === undefined ? numbered : put(numbered, size.path, asType(size, page.size));
  },
});
