import { RelctlError } from '../../core/errors/relctl-error.js';
import { nearest } from '../../core/text/nearest.js';
import { forMessage } from '../../core/text/text.js';
import { type Random, randomness } from '../dataset/random.js';
import { type Argument, type Effects, type FaultKind, families } from './kinds/fault-kind.js';
import { operationList, share, whole } from './kinds/forms.js';
import { contentFaults } from './kinds/content.js';
import { pagingFaults } from './kinds/paging.js';
import { soapFaults, transportFaults } from './kinds/transport.js';

/** Every kind of fault, in the order in which their effects are applied. The only list of them. */
export const faultKinds: readonly FaultKind[] = [...transportFaults, ...soapFaults, ...pagingFaults, ...contentFaults];

const byName: ReadonlyMap<string, FaultKind> = new Map(faultKinds.map((kind) => [kind.name, kind]));

/** The kind of fault with this exact name. */
export const findFault = (name: string): FaultKind | undefined => byName.get(name);

/** The names of all faults by family, a line each, for help. */
export function faultNames(): string {
  return Object.entries(families)
    .map(([family, words]) => {
      const names = faultKinds.filter((kind) => kind.family === family).map(({ name }) => name);
      return `${words}: ${names.join(', ')}.`;
    })
    .join('\n');
}

interface Item {
  readonly name: string;
  readonly value: string | undefined;
}

const longest = 2000;

function parts(text: string, separator: string): readonly string[] {
  const found = [''];
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|./gs)) {
    if (piece === '"') throw misread('fault-quote', 'a quotation mark is not closed');
    if (piece === separator) found.push('');
    else found.push(`${found.pop() ?? ''}${piece}`);
  }
  return found.map((part) => part.trim());
}

function unquoted(value: string): string {
  if (!value.includes('"')) return value;
  const [, inner] = /^"((?:[^"\\]|\\.)*)"$/s.exec(value) ?? [];
  if (inner === undefined) throw misread('fault-quote', 'quotation marks stand around a whole value, or nowhere');
  return inner.replace(/\\(.)/gs, '$1');
}

function itemOf(part: string): Item {
  const at = part.indexOf('=');
  if (at === -1) return { name: part, value: undefined };
  return { name: part.slice(0, at).trim(), value: unquoted(part.slice(at + 1).trim()) };
}

function split(text: string) {
  if (text.length > longest) throw misread('fault-empty', `it is longer than ${longest} characters`);
  const [faults = '', ...schedule] = parts(text, ';');
  const listed = faults === '' ? [] : parts(faults, ',');
  return {
    faults: listed.map(itemOf),
    // A semicolon at the end is allowed.
    schedule: schedule.filter((part) => part !== '').map(itemOf),
  };
}

/** Why a line of a fault plan cannot be read; the code of the error. */
export type SpecFailure =
  | 'fault-empty'
  | 'fault-quote'
  | 'fault-unknown'
  | 'fault-twice'
  | 'fault-conflict'
  | 'fault-value'
  | 'fault-argument'
  | 'fault-schedule';

/** The error for a line that cannot be read. */
export function misread(code: SpecFailure, message: string, hint = 'relctl sandbox start --help'): RelctlError {
  return new RelctlError('usage', `fault plan: ${message}`, { facts: { code, path: '--fault' }, hint });
}

const largest = 1_000_000_000;

/** Everything that says which calls a fault applies to. Parser, help and documentation derive from it. */
export const scheduleKeys = {
  every: { form: whole(1, largest), words: 'Every so many calls: the N-th, the 2N-th, …' },
  first: { form: whole(1, largest), words: 'The first so many calls only.' },
  after: { form: whole(0, largest), words: 'Not the first so many calls.' },
  operation: { form: operationList, words: 'Calls of these operations only; others are not counted either.' },
  page: {
    form: whole(0, 2_147_483_647),
    words: 'Calls that ask for this pageNumber only; others are not counted either.',
  },
  share: { form: share, words: 'A part of the calls, drawn by the seed.' },
  seed: {
    form: whole(0, 0xffff_ffff),
    words: 'Seed of all that is drawn: the same seed draws the same; 1 when left out.',
  },
} as const satisfies Readonly<Record<string, Argument>>;

type ScheduleKey = keyof typeof scheduleKeys;

type Meaning<A> = A extends { readonly form: { read(text: string): infer T } } ? NonNullable<T> : never;

/** Which calls a fault applies to; all parts must agree. */
export type Schedule = { readonly [K in ScheduleKey]?: Meaning<(typeof scheduleKeys)[K]> };

/** The facts of a call that a schedule compares. */
export interface CallFacts {
  readonly operation: string;
  readonly page: number | undefined;
}

/** True when the operation and the page of a schedule match a call: only such calls are counted. */
export function matchesCall({ operation, page }: Schedule, call: CallFacts): boolean {
  return (operation === undefined || operation.includes(call.operation)) && (page === undefined || page === call.page);
}

/** A random stream by seed, use and number of the call: the same in each run. */
export const draws = (seed: number | undefined): ((drawn: string, number: number) => Random) => randomness(seed ?? 1);

/** True when the n-th call meant by a schedule, from 1, gets the fault (pure). */
export function isDue(schedule: Schedule, number: number): boolean {
  const { every = 1, first = Number.POSITIVE_INFINITY, after = 0, share: part = 1, seed } = schedule;
  if (number % every !== 0 || number > first || number <= after) return false;
  return part >= 1 || draws(seed)('share', number).below(1_000_000) < part * 1_000_000;
}

/** A line of a fault plan that was read: the faults, and when they apply. */
export interface FaultSpec {
  /** The line as it was given. */
  readonly text: string;
  /** The effects of each fault named, in the order of the catalogue. */
  readonly effects: readonly Effects[];
  readonly schedule: Schedule;
}

const didYouMean = (name: string | undefined): string => (name === undefined ? '' : `; did you mean '${name}'?`);

const names = faultKinds.map(({ name }) => name);
const keys = Object.keys(scheduleKeys);

const isScheduleKey = (name: string): name is ScheduleKey => Object.hasOwn(scheduleKeys, name);

const exampleOf = ({ example }: FaultKind): string => `relctl sandbox start --fault '${example}'`;

interface Named {
  readonly kind: FaultKind;
  readonly value: string | undefined;
  readonly args: Map<string, string>;
}

function meaning(of: string, { form }: Argument, given: string): unknown {
  const value = form.read(given);
  if (value !== undefined) return value;
  throw misread(
    'fault-value',
    `${of} takes ${form.words}, not '${forMessage(given)}'${didYouMean(form.suggest?.(given))}`,
  );
}

function unknownItem({ name, value }: Item, last: Named | undefined): RelctlError {
  const written = value === undefined ? name : `${name}=${value}`;
  if (isScheduleKey(name)) {
    return misread(
      'fault-schedule',
      `'${name}' says when: it stands behind a semicolon, as in '…;${forMessage(written)}'`,
    );
  }
  const own = last === undefined ? [] : Object.keys(last.kind.args);
  const near = nearest(name, [...own, ...names, ...keys]);
  const kind = findFault(near ?? '');
  const hint = kind === undefined ? undefined : exampleOf(kind);
  const argued = own.length === 0 ? '' : `, and no argument of ${String(last?.kind.name)} (${own.join(', ')})`;
  return misread('fault-unknown', `there is no fault '${forMessage(name)}'${argued}${didYouMean(near)}`, hint);
}

function addArgument({ kind, args }: Named, { name, value }: Item): void {
  if (value === undefined) throw misread('fault-argument', `${kind.name}: ${name} wants a value, as in '${name}=…'`);
  if (args.has(name)) throw misread('fault-twice', `${kind.name}: ${name} is given twice`);
  args.set(name, value);
}

function refuseConflict(named: readonly Named[], kind: FaultKind): void {
  if (named.some((other) => other.kind === kind)) throw misread('fault-twice', `${kind.name} is named twice`);
  const rival = named.find((other) => kind.role !== undefined && other.kind.role === kind.role);
  if (rival === undefined) return;
  const both = kind.role === 'cut' ? 'end the connection' : 'decide the answer';
  throw misread('fault-conflict', `${rival.kind.name} and ${kind.name} both ${both}; give each a --fault of its own`);
}

function readFaults(items: readonly Item[]): readonly Named[] {
  const named: Named[] = [];
  for (const item of items) {
    const last = named.at(-1);
    const kind = findFault(item.name);
    if (last !== undefined && Object.hasOwn(last.kind.args, item.name)) addArgument(last, item);
    else if (kind === undefined) throw unknownItem(item, last);
    else {
      refuseConflict(named, kind);
      named.push({ kind, value: item.value, args: new Map() });
    }
  }
  return named;
}

function valueOf({ kind, value }: Named): unknown {
  if (kind.value === undefined) {
    if (value === undefined) return undefined;
    throw misread('fault-value', `${kind.name} takes no value`, exampleOf(kind));
  }
  const given = value ?? kind.value.preset;
  if (given !== undefined) return meaning(kind.name, kind.value, given);
  throw misread('fault-value', `${kind.name} wants a value: ${kind.value.form.words}`, exampleOf(kind));
}

function compile(named: Named): Effects {
  const { kind, args } = named;
  const meanings = Object.entries(kind.args).map(([name, declared]): [string, unknown] => {
    const given = args.get(name) ?? declared.preset;
    if (given === undefined) throw misread('fault-argument', `${kind.name} wants ${name}: ${declared.form.words}`);
    return [name, meaning(`${kind.name}: ${name}`, declared, given)];
  });
  return kind.compile(valueOf(named), Object.fromEntries(meanings));
}

function scheduled(schedule: Readonly<Record<string, unknown>>, { name, value }: Item): readonly [string, unknown] {
  if (!isScheduleKey(name)) {
    const advice =
      findFault(name) === undefined
        ? `there is no '${forMessage(name)}' behind a semicolon${didYouMean(nearest(name, keys))}`
        : `${name} is a fault: it stands before the semicolon, with a comma between it and the others`;
    throw misread('fault-schedule', advice);
  }
  if (Object.hasOwn(schedule, name)) throw misread('fault-twice', `${name} is given twice`);
  if (value === undefined) throw misread('fault-value', `${name} wants a value: ${scheduleKeys[name].form.words}`);
  return [name, meaning(name, scheduleKeys[name], value)];
}

function readSchedule(items: readonly Item[]): Schedule {
  let schedule: Readonly<Record<string, unknown>> = {};
  for (const item of items) {
    const [name, value] = scheduled(schedule, item);
    schedule = { ...schedule, [name]: value };
  }
  return schedule;
}

const place = ({ kind }: Named): number => faultKinds.indexOf(kind);

/**
 * Reads a line such as `latency=200ms,jitter=50ms;every=3;operation=RelationGetAll`: faults with their arguments behind
 * them, then when they happen. Throws RelctlError `usage` with a SpecFailure as its code.
 */
export function readSpec(text: string): FaultSpec {
  const { faults, schedule } = split(text);
  const named = readFaults(faults);
  if (named.length === 0) throw misread('fault-empty', 'no fault is named');
  const ordered = [...named].sort((left, right) => place(left) - place(right));
  return { text: text.trim(), effects: ordered.map(compile), schedule: readSchedule(schedule) };
}
