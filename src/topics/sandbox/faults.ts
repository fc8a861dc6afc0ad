import type { OfferedWords } from '../../cli/flags/define.js';
import { faultKinds, faultNames, findFault } from '../../sandbox/faults/kinds/catalogue.js';
import type { Argument } from '../../sandbox/faults/kinds/fault-kind.js';
import { scheduleKeys } from '../../sandbox/faults/spec.js';

/** What `sandbox start --help` says of the faults. */
export const faultHelp =
  'With --fault it injects faults, to test scripts and other clients. A SPEC names faults, and behind semicolons ' +
  'when they happen: latency=200ms,jitter=50ms;every=3;operation=RelationGetAll. Schedules: every, first, after, ' +
  'operation, page, share, seed. While it runs, GET, POST and DELETE of /faults change the plan, and the header ' +
  `x-sandbox-fault: SPEC sets the faults of one request. relctl help sandbox shows them all.\n\n${faultNames()}`;

/** A name as it is typed on: with `=` where a value follows. */
const typedOn = ([name, value]: readonly [string, Argument | undefined]): string =>
  value === undefined ? name : `${name}=`;

/** What may stand where a name does: faults and arguments of the last one, or behind a semicolon when they happen. */
function namesAt(items: readonly string[], isSchedule: boolean): readonly (readonly [string, Argument | undefined])[] {
  if (isSchedule) return Object.entries(scheduleKeys);
  const last = items.map((item) => findFault(item.split('=', 1)[0] ?? '')).findLast((kind) => kind !== undefined);
  const given = new Set(items.map((item) => item.split('=', 1)[0]));
  const faults = faultKinds.map(({ name, value }) => [name, value] as const);
  return [...Object.entries(last?.args ?? {}), ...faults].filter(([name]) => !given.has(name));
}

/** What may follow in a line of a fault plan: names of faults, of their arguments and of schedules, and known values. */
export function offerFaults(typed: string): OfferedWords {
  const isSchedule = typed.includes(';');
  const start = isSchedule ? typed.lastIndexOf(';') + 1 : typed.lastIndexOf(',') + 1;
  const names = namesAt(typed.slice(0, start).split(/[,;]/), isSchedule);
  const item = typed.slice(start);
  const at = item.indexOf('=') + 1;
  if (at === 0) return { kept: typed.slice(0, start), words: names.map(typedOn) };
  const argument = names.find(([name]) => name === item.slice(0, at - 1))?.[1];
  const comma = isSchedule ? item.lastIndexOf(',') + 1 : 0;
  return { kept: typed.slice(0, start + Math.max(at, comma)), words: argument?.form.values ?? [] };
}
