import type { Field, Fields, Operation, Type } from '../../contract/build.js';
import { fieldsOf, itemOf } from '../../contract/walk.js';
import type { RelctlError } from '../../core/errors/relctl-error.js';
import { inAnyCase, nearest } from '../../core/text/text.js';
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

type Step = Pick<PathTarget, 'type' | 'field'> & { readonly step: string | number };

/** An item of a list, or what is wrong with it. */
function itemIn(type: Type | undefined, step: number): Step | string {
  const item = itemOf(type);
  if (item === undefined) return 'is no list';
  return step < mostItemColumns ? { step, type: item } : `has columns for ${mostItemColumns} items at most`;
}

/** A member of a record, or a parameter, with its name as the contract spells it, or what is wrong with it. */
function memberIn(type: Type | undefined, parameters: Fields, step: string): Step | string {
  if (type?.kind === 'list') return 'is a list; its first item is [0]';
  const fields = type === undefined ? parameters : fieldsOf(type);
  const names = Object.keys(fields);
  const name = inAnyCase(step, names);
  const field = name === undefined ? undefined : fields[name];
  if (name !== undefined && field !== undefined) return { step: name, type: field.type, field };
  const near = nearest(step, names);
  const there = names.length === 0 ? 'no members' : names.join(', ');
  return `has no '${step}'${near === undefined ? '' : ` (is it ${near}?)`}; it has ${there}`;
}

/** The place that a path names, with names as the contract spells them; undefined for what is no path. Throws what `no` makes. */
export function resolvePath(
  text: string,
  { parameters, name }: Operation,
  no: (what: string) => RelctlError,
): PathTarget | undefined {
  let target: PathTarget | undefined;
  for (const step of parsePath(text) ?? []) {
    const { path = [], type }: Partial<PathTarget> = target ?? {};
    const holder = path.length === 0 ? name : pathText(path);
    const field = typeof step === 'number' ? itemIn(type, step) : memberIn(type, parameters, step);
    if (typeof field === 'string') throw no(`${holder} ${field}`);
    const { step: spelled, ...place } = field;
    target = { path: [...path, spelled], ...place };
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
