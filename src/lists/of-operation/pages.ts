import type { Operation } from '../../contract/build.js';
import { scalarOf } from '../../contract/walk.js';
import { usage } from '../../core/errors/relctl-error.js';
import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { pathIn } from '../../kit/operations/list.js';
import type { PageRequest } from '../plan.js';
import {
  parameterCalled,
  parameterNamed,
  parametersCalled,
  pathText,
  type NumberParameter,
  type Path,
} from './parameters.js';

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

const numberNames: ReadonlySet<string> = new Set([
  'pagenumber',
  'page',
  'pageno',
  'pagenr',
  'pagenum',
  'pageindex',
  'currentpage',
]);

const sizeNames: ReadonlySet<string> = new Set([
  'pagesize',
  'pagelength',
  'rowsperpage',
  'itemsperpage',
  'recordsperpage',
  'perpage',
]);

const otherNames: ReadonlySet<string> = new Set([
  'offset',
  'skip',
  'startrow',
  'startindex',
  'startat',
  'startrecord',
  'firstrow',
  'firstrecord',
  'rowoffset',
  'cursor',
  'continuationtoken',
  'pagetoken',
  'nexttoken',
  'nextpagetoken',
]);

/** Throws `usage` for an operation that seems to give its list in parts, and not by numbers of pages. */
function refuseUnpagedSize(operation: Operation, size: NumberParameter | undefined): void {
  const { name } = operation;
  const [other = size?.path] = parametersCalled(operation, otherNames);
  if (other === undefined) return;
  const what =
    other === size?.path
      ? `${name} takes ${pathText(other)}, and no parameter of it is known to be the number of a page`
      : `${name} seems to page by ${pathText(other)}, and relctl reads pages by their numbers`;
  throw usage('--page-params', what, {
    advice: `Name the number of the page by --page-params; or, if one answer has the whole list, say ${noPages} and give the others by --param.`,
    hint: `--page-params ${noPages}`,
  });
}

/**
 * How an operation takes pages: by the parameters that are named, or that have a usual name; undefined for one whose list
 * comes as a whole. Throws `usage` where several may be meant, and for an operation that pages in another way.
 */
export function pageParameters(operation: Operation, { pageParam, sizeParam }: PageChoice): PageParameters | undefined {
  if (pageParam?.toLowerCase() === noPages && pathIn(operation.parameters, noPages) === undefined) {
    if (sizeParam === undefined) return undefined;
    throw usage('--page-params', `${noPages} and the number of rows of a page exclude each other`);
  }
  const size =
    sizeParam === undefined
      ? parameterCalled(operation, sizeNames, '--page-params')
      : parameterNamed(operation, sizeParam, '--page-params');
  const number =
    pageParam === undefined
      ? parameterCalled(operation, numberNames, '--page-params')
      : parameterNamed(operation, pageParam, '--page-params');
  if (number !== undefined) return { number, size };
  refuseUnpagedSize(operation, size);
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
