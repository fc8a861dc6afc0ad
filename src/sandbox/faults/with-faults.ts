import {
  type Body,
  type HttpResponse,
  type HttpRequest,
  type OutgoingResponse,
  isStreamed,
  piecesOf,
} from '../../soap/transport/http.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { BrokenOff, once, plain, readWhole } from '../answers.js';
import { type Middleware, type SandboxContext, type Serve, type ServedRequest, servicePath } from '../context.js';
import type { Cut } from './kinds/fault-kind.js';
import type { Rate } from './kinds/forms.js';
import type { CallFacts } from './spec.js';
import { type DrawnEffect, type DueFault, type FaultPlan, dueByHeader } from './plan.js';

const faultHeader = 'x-sandbox-fault';

const wrap = (context: SandboxContext, effects: readonly DrawnEffect[]): SandboxContext => {
  const middlewares: readonly Middleware[] = effects.flatMap(({ middleware: around, random }) =>
    around ? [around(random)] : [],
  );
  if (middlewares.length === 0) return context;
  const outer = context.middleware === undefined ? middlewares : [context.middleware, ...middlewares];
  const middleware = outer.reduceRight<Middleware>(
    (inner, each) => (operationRequest, execute) => each(operationRequest, (changed) => inner(changed, execute)),
    (operationRequest, execute) => execute(operationRequest),
  );
  return { ...context, middleware };
};

async function answerUnder(
  serve: Serve,
  served: ServedRequest,
  effects: readonly DrawnEffect[],
): Promise<OutgoingResponse> {
  const [instead] = effects.flatMap((effect) => effect.instead?.() ?? []);
  if (instead !== undefined) return { ...instead, body: once(instead.body) };
  return serve({ ...served, context: wrap(served.context, effects) });
}

/** The answer with its bytes changed, cut or slow. What is not in memory stays where it is, if it goes out as it is. */
async function delivered(
  answer: OutgoingResponse,
  effects: readonly DrawnEffect[],
  delivery: Delivery,
): Promise<OutgoingResponse> {
  const rewrites = effects.flatMap(({ rewrite }) => rewrite ?? []);
  const isWhole = delivery.cut === undefined && delivery.drip === undefined;
  if (rewrites.length === 0 && isWhole) return answer;
  const { status, headers, body } = rewrites.reduce((whole, rewrite) => rewrite(whole), await readWhole(answer));
  // What is neither cut nor slow is left to the server to measure and compress.
  if (isWhole) return { status, headers, body: once(body) };
  const length = { 'content-length': String(body.length) };
  return { status, headers: { ...headers, ...length }, body: pieces(body, delivery) };
}

async function disturbed(serve: Serve, served: ServedRequest, due: readonly DueFault[]): Promise<OutgoingResponse> {
  const effects = due.flatMap((fault) => fault.effects);
  const cut = effects.find((effect) => effect.cut !== undefined)?.cut;
  const drip = effects.find((effect) => effect.drip !== undefined)?.drip;
  const waitMs = effects.reduce((sum, effect) => sum + (effect.waitMs?.(effect.random) ?? 0), 0);
  for (const { text } of due) served.onFault?.(text);
  if (waitMs > 0) await pause(waitMs);
  if (cut?.point === 'request') return cutOff(cut, served.request.body);
  const answer = await answerUnder(serve, served, effects);
  if (cut?.point === 'before') return cutOff(cut, served.request.body);
  return delivered(answer, effects, { cut, drip });
}

const isCall = ({ method, url }: HttpRequest): boolean =>
  method === 'POST' && url.split('?')[0]?.toLowerCase() === servicePath.toLowerCase();

function dueFaultsOf(plan: FaultPlan, request: HttpRequest): readonly DueFault[] {
  const text = request.headers[faultHeader];
  const own = text === undefined ? [] : [dueByHeader(text)];
  return plan.isEmpty ? own : [...own, ...plan.takeDue(readFacts(request))];
}

function refusal(thrown: unknown): HttpResponse {
  const { message, hint } = RelctlError.from(thrown);
  return plain(400, hint === undefined ? message : `${message}\nTry: ${hint}`);
}

/**
 * Adds the faults of a plan, and of the header of a request, to a service. Only calls get faults: POST to the path of
 * the service. A header that cannot be read is answered with status 400.
 */
export function withFaults(serve: Serve, plan: FaultPlan): Serve {
  return (served) => {
    const { request } = served;
    if (plan.isEmpty && request.headers[faultHeader] === undefined) return serve(served);
    if (!isCall(request)) return serve(served);
    let due: readonly DueFault[];
    try {
      due = dueFaultsOf(plan, request);
    } catch (thrown) {
      return Promise.resolve(refusal(thrown));
    }
    return due.length === 0 ? serve(served) : disturbed(serve, served, due);
  };
}

/** Waits so many milliseconds; the timer alone does not keep the process running. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** Ends the connection, or leaves it open without an answer; nobody needs the body of the request any more. */
function cutOff({ how }: Cut, body?: Body): Promise<never> {
  if (how === 'stall') {
    if (body !== undefined && isStreamed(body)) body.close?.();
    // A promise without a timer is garbage-collected once the connection is gone.
    return new Promise<never>(() => undefined);
  }
  return Promise.reject(new BrokenOff(how));
}

interface Delivery {
  readonly cut: Cut | undefined;
  readonly drip: Rate | undefined;
}

const sentBytes = (length: number, cut: Cut | undefined): number => {
  if (cut?.point === 'head') return 0;
  return cut?.point === 'amid' ? Math.floor(length / 2) : length;
};

async function* pieces(body: Uint8Array, { cut, drip }: Delivery): AsyncGenerator<Uint8Array> {
  const until = sentBytes(body.length, cut);
  const step = drip?.bytes ?? Math.max(until, 1);
  for (let at = 0; at < until; at += step) {
    if (at > 0 && drip !== undefined) await pause(drip.everyMs);
    yield body.subarray(at, Math.min(at + step, until));
  }
  if (cut !== undefined) await cutOff(cut);
}

const lastPart = (action: string): string => /([^/"]+)"?$/.exec(action.trim())?.[1] ?? '';

const actionOf = ({ headers }: HttpRequest): string => {
  const action = headers['soapaction'] ?? /;\s*action="?([^";]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return lastPart(action ?? '');
};

const inBody = /<(?:[\w.-]+:)?Body\b[^<>]*>\s*<(?:[\w.-]+:)?([\w.-]+)/;
const pageNumber = /<(?:[\w.-]+:)?pageNumber\b[^<>]*>\s*\+?(\d{1,10})\s*</;

const headBytes = 1024 * 1024;

function headOf({ body }: HttpRequest): string {
  const head: Uint8Array[] = [];
  let length = 0;
  for (const piece of piecesOf(body)) {
    head.push(piece);
    length += piece.length;
    if (length >= headBytes) break;
  }
  return Buffer.concat(head).toString('utf8');
}

/**
 * Operation and page in the text of a request, perhaps not well-formed; of a long one only the beginning is read. The operation
 * is that of the action, or else the first element in the Body; '' when there is neither.
 */
export function readFacts(request: HttpRequest): CallFacts {
  const text = headOf(request);
  const page = pageNumber.exec(text)?.[1];
  return {
    operation: actionOf(request) || (inBody.exec(text)?.[1] ?? ''),
    page: page === undefined ? undefined : Number(page),
  };
}
