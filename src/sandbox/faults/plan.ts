import type { Random } from '../dataset/random.js';
import type { Effects } from './kinds/fault-kind.js';
import { type CallFacts, draws, type FaultSpec, isDue, matchesCall, misread, readSpec } from './spec.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { type HttpResponse, wholeOf } from '../../soap/transport/http.js';
import { json } from '../answers.js';
import type { AnyRequest } from '../http/server.js';
import { isObject, jsonOf } from '../../core/values/value.js';

const adminPath = '/faults';

const failure = (status: number, message: string, rest: Readonly<Record<string, unknown>> = {}): HttpResponse =>
  json(status, { error: { message, ...rest } });

/** Bytes of a request: no line is as long. */
const mostBytes = 64 * 1024;

const wantsJson = 'The body is a JSON object {"spec": "SPEC"}, sent as application/json.';

function specIn({ headers, body }: AnyRequest): string | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return undefined;
  const value = jsonOf(Buffer.from(wholeOf(body)).toString('utf8'));
  return isObject(value) && typeof value['spec'] === 'string' ? value['spec'] : undefined;
}

function added(plan: FaultPlan, request: AnyRequest): HttpResponse {
  if (request.body.length > mostBytes)
    return failure(413, `A request for a line of the plan can have at most ${mostBytes} bytes.`);
  const spec = specIn(request);
  if (spec === undefined) return failure(400, wantsJson);
  try {
    const line = plan.add(spec);
    return json(201, line, { location: `${adminPath}/${line.id}` });
  } catch (thrown) {
    const { message, hint, reportedCode } = RelctlError.from(thrown);
    return failure(400, message, { code: reportedCode, hint });
  }
}

const listed = (plan: FaultPlan): HttpResponse => json(200, { faults: plan.lines() });

type Methods = Readonly<Record<string, () => HttpResponse>>;

function answer(methods: Methods, method: string): HttpResponse {
  const allow = Object.keys(methods).join(', ');
  return methods[method]?.() ?? json(405, { error: { message: `The method ${method} is not allowed.` } }, { allow });
}

/** The plan over HTTP: GET, POST, DELETE of /faults, GET, DELETE of /faults/ID; undefined for other paths. */
export function createFaultAdmin(plan: FaultPlan): (request: AnyRequest) => HttpResponse | undefined {
  return (request) => {
    const [path = ''] = request.url.split('?');
    const clear = (): HttpResponse => {
      plan.clear();
      return listed(plan);
    };
    if (path === adminPath)
      return answer({ GET: () => listed(plan), POST: () => added(plan, request), DELETE: clear }, request.method);
    const [, id] = /^\/faults\/(\d{1,9})$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    const line = plan.lines().find((each) => each.id === Number(id));
    if (line === undefined) return failure(404, `There is no fault ${Number(id)}.`);
    const remove = (): HttpResponse => {
      plan.remove(line.id);
      return json(200, line);
    };
    return answer({ GET: () => json(200, line), DELETE: remove }, request.method);
  };
}

/** An effect with the stream of numbers that it draws from. */
export type DrawnEffect = Effects & { readonly random: Random };

/** A fault that a call gets. */
export interface DueFault {
  readonly text: string;
  readonly effects: readonly DrawnEffect[];
}

/** A line of the plan with its counts. */
export interface PlanLine {
  readonly id: number;
  readonly spec: string;
  /** Calls that match its operation and page. */
  readonly calls: number;
  /** Calls that got its faults. */
  readonly befallen: number;
}

type ActiveLine = { -readonly [K in keyof PlanLine]: PlanLine[K] } & { readonly read: FaultSpec };

const dueFault = ({ text, effects, schedule }: FaultSpec, number: number): DueFault => ({
  text,
  effects: effects.map((effect, index) => ({ ...effect, random: draws(schedule.seed)(`effect ${index}`, number) })),
});

/** The faults to apply, and when. Lines can be added and removed while the sandbox runs; each counts its calls. */
export class FaultPlan {
  #lines: readonly ActiveLine[] = [];
  #lastId = 0;

  /** Throws RelctlError `usage` for a line that cannot be read. */
  constructor(specs: readonly string[] = []) {
    for (const spec of specs) this.add(spec);
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Adds a line at the end. Throws RelctlError `usage` when it cannot be read. */
  add(text: string): PlanLine {
    const read = readSpec(text);
    const line = { id: this.#lastId + 1, spec: read.text, read, calls: 0, befallen: 0 };
    this.#lastId += 1;
    this.#lines = [...this.#lines, line];
    return publicLine(line);
  }

  remove(id: number): void {
    this.#lines = this.#lines.filter((line) => line.id !== id);
  }

  clear(): void {
    this.#lines = [];
  }

  lines(): readonly PlanLine[] {
    return this.#lines.map(publicLine);
  }

  takeDue(call: CallFacts): readonly DueFault[] {
    return this.#lines.flatMap((line) => {
      if (!matchesCall(line.read.schedule, call)) return [];
      line.calls += 1;
      if (!isDue(line.read.schedule, line.calls)) return [];
      line.befallen += 1;
      return [dueFault(line.read, line.calls)];
    });
  }
}

const publicLine = ({ id, spec, calls, befallen }: ActiveLine): PlanLine => ({ id, spec, calls, befallen });

/** The faults that the header of a call asks for: a line with no schedule but a seed. Throws RelctlError `usage`. */
export function dueByHeader(text: string): DueFault {
  const spec = readSpec(text);
  const [when] = Object.keys(spec.schedule).filter((key) => key !== 'seed');
  if (when !== undefined) {
    throw misread('fault-schedule', `a header applies to its own call: it cannot have ${when}`);
  }
  return dueFault(spec, 1);
}
