import type { Field, Fields, Operation, RecordType, Type } from '../../contract/build.js';
import { isTooDeep, memberAt, scalarOf } from '../../contract/walk.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { nearest } from '../../core/text/nearest.js';
import { pathIn } from '../../kit/operations/list.js';

/** Names that lead to a parameter, through records. */
export type Path = readonly string[];

/** A parameter that takes a number, or the text of one. */
export interface NumberParameter {
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
export const parametersCalled = ({ parameters }: Operation, names: ReadonlySet<string>): readonly Path[] =>
  pathsIn(parameters).filter((path) => names.has(plain(path.at(-1) ?? '')));

/** The parameters that take numbers, as they are typed. */
export const numberParameters = ({ parameters }: Operation): readonly string[] =>
  pathsIn(parameters)
    .filter((path) => isNumber(memberAt(parameters, path)))
    .map(pathText);

/** The parameter that a flag names. Throws `usage` for one that is not there, or takes no number. */
export function parameterNamed(operation: Operation, name: string, flag: string): NumberParameter {
  const { parameters } = operation;
  const path = pathIn(parameters, name);
  const type = path === undefined ? undefined : memberAt(parameters, path)?.type;
  if (path === undefined || type === undefined) {
    const known = numberParameters(operation);
    const there = known.length === 0 ? 'none takes a number' : `those that take numbers are ${known.join(', ')}`;
    throw usage(flag, `${operation.name} has no parameter '${name}'; ${there}`, perhaps(name, nearest(name, known)));
  }
  if (wholeTypes.has(scalarOf(type)) || scalarOf(type) === 'string') return { path, type };
  throw usage(flag, `the parameter ${pathText(path)} of ${operation.name} takes no number`);
}

/**
 * The one parameter that is called so and takes a number; undefined for none. Throws `usage` for several.
 * @param flag the flag that would name it
 */
export function parameterCalled(
  operation: Operation,
  names: ReadonlySet<string>,
  flag: string,
): NumberParameter | undefined {
  const all = parametersCalled(operation, names).flatMap((path): readonly NumberParameter[] => {
    const field = memberAt(operation.parameters, path);
    return isNumber(field) ? [{ path, type: field.type }] : [];
  });
  const [only, second] = all;
  if (only === undefined || second === undefined) return only;
  const words = all.map(({ path }) => pathText(path)).join(', ');
  throw usage(flag, `several parameters of ${operation.name} may be meant: ${words}`, `${flag} ${pathText(only.path)}`);
}

const fromNames: ReadonlySet<string> = new Set(['from', 'fromdate', 'datefrom', 'fromdatetime', 'modifiedfrom']);
const toNames: ReadonlySet<string> = new Set(['to', 'todate', 'dateto', 'todatetime', 'modifiedto']);

/** Names of the parameters that begin and end a period. */
export interface PeriodNames {
  readonly from: string;
  readonly to: string;
}

/** The names of the parameters that begin and end the period of an operation; undefined where it has none. */
export function periodOf({ parameters }: Operation): PeriodNames | undefined {
  const times = Object.entries(parameters).filter(([, { type }]) => scalarOf(type) === 'dateTime');
  const [from, otherFrom] = times.filter(([name]) => fromNames.has(plain(name)));
  const [to, otherTo] = times.filter(([name]) => toNames.has(plain(name)));
  const isSure = otherFrom === undefined && otherTo === undefined;
  return from === undefined || to === undefined || !isSure ? undefined : { from: from[0], to: to[0] };
}
