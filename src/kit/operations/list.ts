import type { Fields, ListType, Operation } from '../../contract/build.js';
import { fieldsOf, listOf, memberAt, scalarOf } from '../../contract/walk.js';
import { type RelctlError, perhaps, usage } from '../../core/errors/relctl-error.js';
import { inAnyCase, nearest } from '../../core/text/text.js';
import { listPathsIn } from '../../formats/list-members.js';

/** A list in the result of an operation. */
export interface ListOfOperation {
  /** Names of the records of the result that hold it, outermost first, and its own. */
  readonly path: readonly [string, ...string[]];
  readonly type: ListType;
}

/** The lists that an operation answers, by their paths with dots; those within the items of others are not among them. */
export const listNames = ({ result }: Operation): readonly string[] =>
  listPathsIn(result).map((path) => path.join('.'));

/** Names as fields spell them, of a text with dots in any case of letters; undefined where there is no such member. */
export function pathIn(fields: Fields, text: string): readonly string[] | undefined {
  const names = Object.keys(fields);
  const whole = inAnyCase(text, names);
  if (whole !== undefined) return [whole];
  const dot = text.indexOf('.');
  const first = dot < 1 ? undefined : inAnyCase(text.slice(0, dot), names);
  if (first === undefined) return undefined;
  const rest = pathIn(fieldsOf(fields[first]?.type), text.slice(dot + 1));
  return rest === undefined ? undefined : [first, ...rest];
}

/** True for a path that leads below what nothing describes: an element that the WSDL leaves open, or one without a type. */
export function isBelowOpen({ result, wire }: Operation, text: string): boolean {
  let [fields, isOpen]: [Fields, boolean] = [result, wire?.isOpen === true];
  const names = text.split('.');
  for (const [at, name] of names.entries()) {
    const type = Object.hasOwn(fields, name) ? fields[name]?.type : undefined;
    if (type === undefined) return isOpen;
    if (type.kind !== 'record') return scalarOf(type) === 'anyType' && at < names.length - 1;
    [fields, isOpen] = [type.fields, type.isOpen === true];
  }
  return false;
}

function noList(operation: Operation, text: string): RelctlError {
  const { name } = operation;
  const known = listNames(operation);
  if (known.length === 0) return usage('--list', `${name} returns no list`, { hint: `relctl operations ${name}` });
  const its = known.length === 1 ? `its list is ${known.join('')}` : `its lists are ${known.join(', ')}`;
  const suggestion = known.length === 1 ? known[0] : nearest(text, known);
  return usage('--list', `${name} has no list '${text}'; ${its}`, perhaps(text, suggestion));
}

function pathByEnd(operation: Operation, text: string): readonly string[] | undefined {
  const end = `.${text.toLowerCase()}`;
  const [only, ...others] = listPathsIn(operation.result).filter((path) =>
    `.${path.join('.').toLowerCase()}`.endsWith(end),
  );
  return others.length === 0 ? only : undefined;
}

function resolvePath(operation: Operation, text: string): readonly string[] {
  const exact = pathIn(operation.result, text);
  const isList = exact !== undefined && listOf(memberAt(operation.result, exact)?.type) !== undefined;
  return (isList ? exact : (pathByEnd(operation, text) ?? exact)) ?? [];
}

/** The list that a text names: by its path, or as much of its end as no other has. Throws `usage` for what is no list. */
export function listNamed(operation: Operation, text: string): ListOfOperation {
  const { result, name } = operation;
  const [first, ...rest] = resolvePath(operation, text);
  const path = first === undefined ? undefined : ([first, ...rest] as const);
  const type = path === undefined ? undefined : listOf(memberAt(result, path)?.type);
  if (path === undefined || type === undefined) throw noList(operation, text);
  if (listOf(type.item) !== undefined) throw usage('--list', `the items of ${text} of ${name} are lists, not records`);
  return { path, type };
}
