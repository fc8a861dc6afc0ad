import type { Code } from '../../core/errors/codes.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { nearest, forMessage } from '../../core/text/text.js';
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

const mostCharacters = 2000;

function parts(text: string, separator: string): readonly string[] {
  const all = [''];
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|./gs)) {
    if (piece === '"') throw misread('fault-quote', 'a quotation mark is not closed');
    if (piece === separator) all.push('');
    else all.push(`${all.pop() ?? ''}${piece}`);
  }
  return all.map((part) => part.trim());
}

function itemOf(part: string): Item {
  const at = part.indexOf('=');
  if (at === -1) return { name: part, value: undefined };
  const value = part.slice(at + 1).trim();
  const [, inner] = /^"((?:[^"\\]|\\.)*)"$/s.exec(value) ?? [];
  if (inner === undefined && value.includes('"'))
    throw misread('fault-quote', 'quotation marks must enclose a whole value');
  return { name: part.slice(0, at).trim(), value: inner?.replace(/\\(.)/gs, '$1') ?? value };
}

/** The error for a line that cannot be read. */
export function misread(code: Code, message: string, hint = 'relctl sandbox start --help'): RelctlError {
  return new RelctlError('usage', `fault plan: ${message}`, { facts: { code, path: '--fault' }, hint });
}

const largest = 1_000_000_000;

/** Everything that says which calls a fault applies to. Parser, help and documentation derive from it. */
export const scheduleKeys = {
  every: { form: whole(1, largest), words: 'Every N-th call: the N-th, the 2N-th, …' },
  first: { form: whole(1, largest), words: 'Only the first N calls.' },
  after: { form: whole(0, largest), words: 'Not the first N calls.' },
  operation: { form: operationList, words: 'Only calls of these operations; others do not count.' },
  page: {
    form: whole(0, 2_147_483_647),
    words: 'Only calls with this pageNumber; others do not count.',
  },
  share: { form: share, words: 'A random share of the calls, by the seed.' },
  seed: {
    form: whole(0, 0xffff_ffff),
    words: 'Seed of random choices: the same seed makes the same choices; the default is 1.',
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
  readonly text: string;
  /** The effects of each fault named, in the order of the catalogue. */
  readonly effects: readonly Effects[];
  readonly schedule: Schedule;
}

const didYouMean = (name: string | undefined): string => (name === undefined ? '' : `; did you mean '${name}'?`);

const isScheduleKey = (name: string): name is ScheduleKey => Object.hasOwn(scheduleKeys, name);

const exampleOf = ({ example }: FaultKind): string => `relctl sandbox start --fault '${example}'`;

/** The value of a text; of a text that is left out, that of the preset. */
function valueOf(what: string, { form, preset }: Argument, text = preset): unknown {
  if (text === undefined) throw misread('fault-value', `${what} wants a value: ${form.words}`);
  const value = form.read(text);
  if (value !== undefined) return value;
  const near = didYouMean(form.suggest?.(text));
  throw misread('fault-value', `${what} takes ${form.words}, not '${forMessage(text)}'${near}`);
}

function unknownFault({ name }: Item, last: FaultKind | undefined): RelctlError {
  if (isScheduleKey(name))
    return misread('fault-schedule', `'${name}' is a schedule: write it after a semicolon, as in '…;${name}=…'`);
  const near = nearest(name, [...Object.keys(last?.args ?? {}), ...byName.keys(), ...Object.keys(scheduleKeys)]);
  const kind = byName.get(near ?? '');
  return misread(
    'fault-unknown',
    `there is no fault '${forMessage(name)}'${didYouMean(near)}`,
    kind && exampleOf(kind),
  );
}

interface Named {
  readonly kind: FaultKind;
  readonly value: string | undefined;
  readonly args: Map<string, string>;
}

function refuseConflict(named: readonly Named[], { name, role }: FaultKind): void {
  if (named.some(({ kind }) => kind.name === name)) throw misread('fault-twice', `${name} is named twice`);
  const rival = named.find(({ kind }) => role !== undefined && kind.role === role);
  if (rival === undefined) return;
  const both = role === 'cut' ? 'end the connection' : 'decide the answer';
  throw misread('fault-conflict', `${rival.kind.name} and ${name} both ${both}; use a --fault for each`);
}

/** Groups the items before the first semicolon: each fault, with the arguments that follow it. */
function readFaults(items: readonly Item[]): readonly Named[] {
  const named: Named[] = [];
  for (const item of items) {
    const { name, value } = item;
    const last = named.at(-1);
    const kind = byName.get(name);
    if (last !== undefined && Object.hasOwn(last.kind.args, name)) {
      const what = `${last.kind.name}: ${name}`;
      if (value === undefined) throw misread('fault-argument', `${what} needs a value, as in '${name}=…'`);
      if (last.args.has(name)) throw misread('fault-twice', `${what} is set twice`);
      last.args.set(name, value);
    } else if (kind === undefined) throw unknownFault(item, last?.kind);
    else {
      refuseConflict(named, kind);
      named.push({ kind, value, args: new Map() });
    }
  }
  return named;
}

function compile({ kind, value, args }: Named): Effects {
  if (kind.value === undefined && value !== undefined)
    throw misread('fault-value', `${kind.name} takes no value`, exampleOf(kind));
  const values = Object.entries(kind.args).map(([name, declared]): [string, unknown] => [
    name,
    valueOf(`${kind.name}: ${name}`, declared, args.get(name)),
  ]);
  return kind.compile(kind.value && valueOf(kind.name, kind.value, value), Object.fromEntries(values));
}

function readSchedule(items: readonly Item[]): Schedule {
  const schedule: Record<string, unknown> = {};
  for (const { name, value } of items) {
    if (byName.has(name))
      throw misread('fault-schedule', `${name} is a fault: write it before the semicolon, after a comma`);
    if (!isScheduleKey(name)) {
      const near = nearest(name, Object.keys(scheduleKeys));
      throw misread('fault-schedule', `there is no '${forMessage(name)}' after a semicolon${didYouMean(near)}`);
    }
    if (Object.hasOwn(schedule, name)) throw misread('fault-twice', `${name} is set twice`);
    schedule[name] = valueOf(name, scheduleKeys[name], value);
  }
  return schedule;
}

/**
 * Reads a line such as `latency=200ms,jitter=50ms;every=3;operation=RelationGetAll`: faults with their arguments behind
 * them, then when they happen. Throws RelctlError `usage` with a code that says why.
 */
export function readSpec(text: string): FaultSpec {
  if (text.length > mostCharacters) throw misread('fault-empty', `it is longer than ${mostCharacters} characters`);
  const [faults = '', ...schedule] = parts(text, ';');
  const named = readFaults(faults === '' ? [] : parts(faults, ',').map(itemOf));
  if (named.length === 0) throw misread('fault-empty', 'there is no fault');
  const inOrder = faultKinds.flatMap((kind) => named.filter((each) => each.kind === kind));
  // A semicolon at the end is allowed.
  const items = schedule.filter((part) => part !== '').map(itemOf);
  return { text: text.trim(), effects: inOrder.map(compile), schedule: readSchedule(items) };
}
