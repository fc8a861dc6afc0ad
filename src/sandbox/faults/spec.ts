import type { RelctlError } from '../../errors/relctl-error.js';
import { nearest } from '../../lexical/nearest.js';
import { forMessage } from '../../lexical/text.js';
import { faultKinds, findFault } from './kinds/catalogue.js';
import type { Argument, Effects, FaultKind } from './kinds/fault-kind.js';
import { type Item, misread, split } from './split.js';
import { scheduleKeys, type Schedule, type ScheduleKey } from './schedule.js';

/** A line of a fault plan, read: what goes wrong, and when. */
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

/** A fault of a line, with the arguments that follow it. */
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
  const hint = kind === undefined ? undefined : `relctl sandbox start --fault '${kind.example}'`;
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
    throw misread('fault-value', `${kind.name} takes no value`, `relctl sandbox start --fault '${kind.example}'`);
  }
  const given = value ?? kind.value.preset;
  if (given !== undefined) return meaning(kind.name, kind.value, given);
  throw misread(
    'fault-value',
    `${kind.name} wants a value: ${kind.value.form.words}`,
    `relctl sandbox start --fault '${kind.example}'`,
  );
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
