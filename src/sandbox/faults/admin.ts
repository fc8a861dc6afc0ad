import { RelctlError } from '../../errors/relctl-error.js';
import type { HttpResponse } from '../../soap/transport/http.js';
import { once } from '../answers.js';
import type { AnyRequest } from '../http/server.js';
import type { FaultPlan } from './plan.js';
import { isObject } from '../../plain/object.js';
import { jsonOf } from '../../plain/json.js';

/** Path of the fault plan. */
const adminPath = '/faults';

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: once(Buffer.from(`${JSON.stringify(value)}\n`)),
});

const failure = (status: number, message: string, rest: Readonly<Record<string, unknown>> = {}): HttpResponse =>
  json(status, { error: { message, ...rest } });

const notAllowed = (method: string, allow: string): HttpResponse =>
  json(405, { error: { message: `The method ${method} is not allowed.` } }, { allow });

const wantsJson = 'The body is a JSON object {"spec": "SPEC"}, sent as application/json.';

/** The line in the body of a request; undefined when there is none. */
function specIn({ headers, body }: AnyRequest): string | undefined {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return undefined;
  const value = jsonOf(Buffer.from(body).toString('utf8'));
  return isObject(value) && typeof value['spec'] === 'string' ? value['spec'] : undefined;
}

function added(plan: FaultPlan, request: AnyRequest): HttpResponse {
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

function ofAll(plan: FaultPlan, request: AnyRequest): HttpResponse {
  switch (request.method) {
    case 'GET':
      return listed(plan);
    case 'POST':
      return added(plan, request);
    case 'DELETE':
      plan.clear();
      return listed(plan);
    default:
      return notAllowed(request.method, 'GET, POST, DELETE');
  }
}

function ofOne(plan: FaultPlan, request: AnyRequest, id: number): HttpResponse {
  const line = plan.lines().find((each) => each.id === id);
  if (line === undefined) return failure(404, `There is no fault ${id}.`);
  switch (request.method) {
    case 'GET':
      return json(200, line);
    case 'DELETE':
      plan.remove(id);
      return json(200, line);
    default:
      return notAllowed(request.method, 'GET, DELETE');
  }
}

/**
 * The fault plan over HTTP: GET, POST and DELETE of /faults, GET and DELETE of /faults/ID; undefined for other paths. Who
 * may ask is decided by the server, as for the service.
 */
export function createFaultAdmin(plan: FaultPlan): (request: AnyRequest) => HttpResponse | undefined {
  return (request) => {
    const path = request.url.split('?')[0] ?? '';
    if (path === adminPath) return ofAll(plan, request);
    const [, id] = /^\/faults\/(\d{1,9})$/.exec(path) ?? [];
    return id === undefined ? undefined : ofOne(plan, request, Number(id));
  };
}
