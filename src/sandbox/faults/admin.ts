import { RelctlError } from '../../errors/relctl-error.js';
import { type HttpResponse, wholeOf } from '../../soap/transport/http.js';
import { json } from '../answers.js';
import type { AnyRequest } from '../http/exchange.js';
import type { FaultPlan, PlanLine } from './plan.js';
import { isObject } from '../../plain/object.js';
import { jsonOf } from '../../plain/json.js';

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
    return failure(413, `A request for a line of the plan holds at most ${mostBytes} bytes.`);
  const spec = specIn(request);
  if (spec === undefined) return failure(400, wantsJson);
  try {
    const line = plan.add(spec);
    return json(201, line, { location: `${adminPath}/${line.id}` });
  } catch (thrown) {
    const { message, hint, facts } = RelctlError.from(thrown);
    return failure(400, message, { code: facts.code, hint });
  }
}

const listed = (plan: FaultPlan): HttpResponse => json(200, { faults: plan.lines() });

type Methods = Readonly<Record<string, () => HttpResponse>>;

const ofAll = (plan: FaultPlan, request: AnyRequest): Methods => ({
  GET: () => listed(plan),
  POST: () => added(plan, request),
  DELETE: () => {
    plan.clear();
    return listed(plan);
  },
});

const ofOne = (plan: FaultPlan, line: PlanLine): Methods => ({
  GET: () => json(200, line),
  DELETE: () => {
    plan.remove(line.id);
    return json(200, line);
  },
});

function answer(methods: Methods, method: string): HttpResponse {
  const allow = Object.keys(methods).join(', ');
  return methods[method]?.() ?? json(405, { error: { message: `The method ${method} is not allowed.` } }, { allow });
}

/**
 * The fault plan over HTTP: GET, POST and DELETE of /faults, GET and DELETE of /faults/ID; undefined for other paths. Who
 * may ask is decided by the server, as for the service.
 */
export function createFaultAdmin(plan: FaultPlan): (request: AnyRequest) => HttpResponse | undefined {
  return (request) => {
    const [path = ''] = request.url.split('?');
    if (path === adminPath) return answer(ofAll(plan, request), request.method);
    const [, id] = /^\/faults\/(\d{1,9})$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    const line = plan.lines().find((each) => each.id === Number(id));
    return line === undefined
      ? failure(404, `There is no fault ${Number(id)}.`)
      : answer(ofOne(plan, line), request.method);
  };
}
