import type { Field, Fields, Operation, Type } from '../../contract/build.js';
import { fieldsOf, itemOf } from '../../contract/walk.js';
import type { RelctlError } from '../../core/errors/relctl-error.js';
import { inAnyCase, nearest } from '../../core/text/nearest.js';
import { isList, isRecord, type RecordValue, type Value } from '../../core/values/value.js';

/** A place in the parameters of an operation: names of members, and indexes of lists. */
export type Path = readonly (string | number)[];

const mostItemColumns = 1000;

function parsePath(text: string): Path | undefined {
  const isPath = /^[^.[\]]+(?:\[\d{1,4}\])*(?:\.[^.[\]]+(?:\[\d{1,4}\])*)*$/.test(text);
  if (!isPath) return undefined;
  const steps = text.match(/[^.[\]]+/g) ?? [];
  const isIndex = [...text.matchAll(/(\[)?[^.[\]]+/g)].map(([, bracket]) => bracket !== undefined);
  return steps.map((step, index) => (isIndex[index] === true ? Number(step) : step.trim()));
}

/** A path as it is written. */
export const pathText = (path: Path): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`)).join('');

/** What a path leads to. */
export interface PathTarget {
  readonly path: Path;
  readonly type: Type;
  /** Undefined for an item of a list. */
  readonly field?: Field;
}

type PathError = (what: string) => RelctlError;

interface StateOfPath {
  readonly no: PathError;
  /** The operation, or the place, in words. */
  readonly holder: string;
  readonly path: Path;
  /** Undefined at the beginning. */
  readonly type: Type | undefined;
  readonly fields: Fields;
}

function itemIn(standing: StateOfPath, index: number): PathTarget {
  const { type, path, holder } = standing;
  const item = itemOf(type);
  if (item === undefined) throw standing.no(`${holder} is no list`);
  if (index >= mostItemColumns) throw standing.no(`at most ${mostItemColumns} items have columns`);
  return { path: [...path, index], type: item };
}

function memberIn(standing: StateOfPath, step: string): PathTarget {
  const { type, path, holder, fields } = standing;
  if (type?.kind === 'list') throw standing.no(`${holder} is a list, whose first item is ${holder}[0]`);
  const names = Object.keys(fields);
  const name = inAnyCase(step, names);
  const found = name === undefined ? undefined : fields[name];
  if (name !== undefined && found !== undefined) return { path: [...path, name], type: found.type, field: found };
  const near = nearest(step, names);
  const there = names.length === 0 ? 'no members' : names.join(', ');
  throw standing.no(`${holder} has no '${step}'${near === undefined ? '' : ` (is it ${near}?)`}; it has ${there}`);
}

/** The place that a path names, with names as the contract spells them; undefined for what is no path. Throws what `no` makes. */
export function resolvePath(text: string, { parameters, name }: Operation, no: PathError): PathTarget | undefined {
  let target: PathTarget | undefined;
  for (const step of parsePath(text) ?? []) {
    const { path = [], type }: Partial<PathTarget> = target ?? {};
    const fields = type === undefined ? parameters : fieldsOf(type);
    const standing = { no, holder: path.length === 0 ? name : pathText(path), path, type, fields };
    target = typeof step === 'number' ? itemIn(standing, step) : memberIn(standing, step);
  }
  return target;
}

/** A value while cells are put into it: lists may have holes. */
type Draft = Record<string, unknown> | unknown[];

function putAt(holder: Draft, [step, ...rest]: Path, value: Value | undefined): void {
  const at = holder as Record<string | number, unknown>;
  if (step === undefined) return;
  if (rest.length === 0) {
    at[step] = value;
    return;
  }
  const next = at[step];
  const isThere = typeof rest[0] === 'number' ? Array.isArray(next) : isRecord(next as Value);
  if (!isThere) at[step] = typeof rest[0] === 'number' ? [] : {};
  putAt(at[step] as Draft, rest, value);
}

function withoutHoles(value: Value): Value {
  if (isList(value)) return value.filter((each) => (each as unknown) !== undefined).map(withoutHoles);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutHoles(each)]));
}

/** Parameters with these values at their places; nothing at those of undefined. */
export function filled(base: RecordValue, values: readonly (readonly [Path, Value | undefined])[]): RecordValue {
  const draft = structuredClone(base) as Record<string, unknown>;
  for (const [path, value] of values) putAt(draft, path, value);
  return withoutHoles(draft as RecordValue) as RecordValue;
}
