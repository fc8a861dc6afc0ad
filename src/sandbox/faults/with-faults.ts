import { RelctlError } from '../../errors/relctl-error.js';
import type { HttpRequest, HttpResponse } from '../../soap/transport/http.js';
import { bytesOf, plain } from '../answers.js';
import { servicePath, type Around, type SandboxContext } from '../context.js';
import type { Random } from '../dataset/random.js';
import { wordsOf } from '../request-words.js';
import type { Serve, ServedRequest } from '../http/serve.js';
import { cutOff, delivered, pause } from './deliver.js';
import type { Effects, WholeAnswer } from './kinds/effects.js';
import { befallenByHeader, type Befallen, type FaultPlan } from './plan.js';

/** The header by which one request asks for faults of its own. */
export const faultHeader = 'x-sandbox-fault';

/** An effect with the stream of numbers that it draws from. */
type Drawn = Effects & { readonly random: Random };

const drawn = (befallen: readonly Befallen[]): readonly Drawn[] =>
  befallen.flatMap(({ effects, random }) => effects.map((effect, index) => ({ ...effect, random: random(index) })));

const standAround = (context: SandboxContext, effects: readonly Drawn[]): SandboxContext => {
  const arounds: readonly Around[] = effects.flatMap(({ around, random }) => (around ? [around(random)] : []));
  if (arounds.length === 0) return context;
  const outer = context.around === undefined ? arounds : [context.around, ...arounds];
  const around = outer.reduceRight<Around>(
    (inner, each) => (asked, carryOut) => each(asked, (changed) => inner(changed, carryOut)),
    (asked, carryOut) => carryOut(asked),
  );
  return { ...context, around };
};

async function wholeAnswer(serve: Serve, served: ServedRequest, effects: readonly Drawn[]): Promise<WholeAnswer> {
  const [instead] = effects.flatMap((effect) => effect.instead?.() ?? []);
  let answer = instead ?? (await inMemory(await serve({ ...served, context: standAround(served.context, effects) })));
  for (const { rewrite } of effects) answer = rewrite?.(answer) ?? answer;
  return answer;
}

async function inMemory(answer: HttpResponse): Promise<WholeAnswer> {
  return { status: answer.status, headers: answer.headers, body: await bytesOf(answer) };
}

async function disturbed(serve: Serve, served: ServedRequest, befallen: readonly Befallen[]): Promise<HttpResponse> {
  const effects = drawn(befallen);
  const cut = effects.find((effect) => effect.cut !== undefined)?.cut;
  const drip = effects.find((effect) => effect.drip !== undefined)?.drip;
  const waitMs = effects.reduce((sum, effect) => sum + (effect.waitMs?.(effect.random) ?? 0), 0);
  for (const { text } of befallen) served.onFault?.(text);
  if (waitMs > 0) await pause(waitMs);
  if (cut?.place === 'request') return cutOff(cut);
  const answer = await wholeAnswer(serve, served, effects);
  return cut?.place === 'before' ? cutOff(cut) : delivered(answer, { cut, drip });
}

const isCall = ({ method, url }: HttpRequest): boolean =>
  method === 'POST' && url.split('?')[0]?.toLowerCase() === servicePath.toLowerCase();

function befallenOf(plan: FaultPlan, request: HttpRequest): readonly Befallen[] {
  const asked = request.headers[faultHeader];
  const own = asked === undefined ? [] : [befallenByHeader(asked)];
  return plan.isEmpty ? own : [...own, ...plan.befall(wordsOf(request))];
}

function refusal(thrown: unknown): HttpResponse {
  const { message, hint } = RelctlError.from(thrown);
  return plain(400, hint === undefined ? message : `${message}\nTry: ${hint}`);
}

/**
 * The same service, which misbehaves as its plan says, and as the header of a request says. Only calls are befallen: POST
 * to the path of the service. A header that cannot be read is answered by 400.
 */
export function withFaults(serve: Serve, plan: FaultPlan): Serve {
  return (served) => {
    const { request } = served;
    if (plan.isEmpty && request.headers[faultHeader] === undefined) return serve(served);
    if (!isCall(request)) return serve(served);
    let befallen: readonly Befallen[];
    try {
      befallen = befallenOf(plan, request);
    } catch (thrown) {
      return Promise.resolve(refusal(thrown));
    }
    return befallen.length === 0 ? serve(served) : disturbed(serve, served, befallen);
  };
}
