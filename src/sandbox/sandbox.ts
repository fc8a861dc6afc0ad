import { randomUUID } from 'node:crypto';
import type { HttpHandler, HttpResponse, HttpRequest } from '../soap/transport/http.js';
import { type SandboxContext, sandboxNamespace, servicePath } from './context.js';
import { fillStore, originOf } from './dataset/fill.js';
import { type DatasetParameters, defaultParameters } from './dataset/making.js';
import { openOrCreate, type ReportProgress } from './store/create.js';
import type { Store } from './store/open.js';
import { defined } from '../core/values/value.js';
import { usage } from '../core/errors/relctl-error.js';
import { operations } from '../contract/service.js';
import { writeWsdl } from '../wsdl/definitions.js';
import { asmxCaching, mostBodyBytes, once, plain, tooLarge } from './answers.js';
import { mediaTypeOf } from './asmx/media-type.js';
import { serviceLink } from './http/access.js';
import { answerSoap } from './strict.js';

/** The WSDL of the service, with the public address, or that of the request: who got here reaches the service there. */
function wsdlPage(context: SandboxContext, request: HttpRequest): HttpResponse {
  const { publicUrl, namespace, more } = context;
  const [path = servicePath] = request.url.split('?');
  const requestUrl = `http://${request.headers['host'] ?? 'localhost'}${path}`;
  const address = publicUrl === undefined ? requestUrl : `${publicUrl.origin}${serviceLink(context)}`;
  const offered = [...Object.values(operations), ...[...(more?.values() ?? [])].map(({ operation }) => operation)];
  const headers = { ...asmxCaching, 'content-type': 'text/xml; charset=utf-8' };
  return { status: 200, headers, body: once(Buffer.from(writeWsdl({ operations: offered, namespace, address }))) };
}

// The pages are loaded when a browser asks for one: most services answer programs only.

async function got(context: SandboxContext, request: HttpRequest): Promise<HttpResponse> {
  // A name without a value anywhere in the query, as such services have it: proxies are kept from caching by others.
  const query = request.url.split('?')[1]?.split('&') ?? [];
  if (query.some((part) => /^wsdl$/i.test(part))) return wsdlPage(context, request);
  const { page } = await import('./pages/index.js');
  return page(context, request);
}

const nothing = (): HttpResponse => plain(404, 'There is nothing here.');

async function atRoot(context: SandboxContext, path: string): Promise<HttpResponse> {
  const { countsAnswer, countsPath, frontPage } = await import('./pages/front.js');
  if (path === '/') return frontPage(context);
  return path === countsPath ? countsAnswer(context) : nothing();
}

/** Answers paths below that of the service, where only the test forms of the pages are. */
async function answerEndpoint(context: SandboxContext, request: HttpRequest, path: string): Promise<HttpResponse> {
  const isForm = mediaTypeOf(request.headers['content-type']).base.trim() === 'application/x-www-form-urlencoded';
  if (request.method === 'POST' && isForm) {
    const { postForm } = await import('./pages/post.js');
    return postForm(context, request, path.slice(servicePath.length + 1));
  }
  if (context.mode !== 'asmx') return nothing();
  const { unrecognizedPage } = await import('./pages/index.js');
  return unrecognizedPage(path);
}

/** The service as a function without sockets (interface document, "What the service does"). It never throws. */
export function createEndpoint(context: SandboxContext): HttpHandler {
  const own = servicePath.toLowerCase();
  return (request) => {
    const path = request.url.split('?')[0] ?? '';
    const lowerPath = path.toLowerCase();
    if (lowerPath.startsWith(`${own}/`)) return answerEndpoint(context, request, path);
    if (lowerPath !== own) return request.method === 'GET' ? atRoot(context, path) : Promise.resolve(nothing());
    return request.method === 'GET' ? got(context, request) : Promise.resolve(answerSoap(context, request));
  };
}

/**
 * A database to open, and how to make it if it does not exist; an existing one is used unchanged. Relations are 3 to
 * 10,000,000, and 250 when left out; the seed is 1, the mode `strict`, the clock that of the machine, and Ids are random.
 */
type SandboxRequest = Partial<DatasetParameters> &
  Partial<Pick<SandboxContext, 'mode' | 'publicUrl' | 'onMuchMemory' | 'now' | 'newId'>> & {
    readonly file: string;
    /** Called with the progress while a database is made. Whatever it throws ends the work, and no database is made. */
    readonly report?: ReportProgress;
  };

/** An open sandbox. Close it after the server that serves it. */
export interface Sandbox extends SandboxContext {
  readonly file: string;
  close(): void;
}

const between = (name: string, value: number, [low, high]: readonly [number, number]): void => {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw usage(undefined, `The sandbox takes ${name} from ${low} to ${high}, not ${value}.`);
};

const storedParameters = (store: Store): DatasetParameters => {
  const rows = store.statement('SELECT name, value FROM "Parameter"').all();
  const values = new Map(rows.map(([name, value]) => [String(name), Number(value)]));
  return { relations: values.get('relations') ?? 0, seed: values.get('seed') ?? 0 };
};

/** Opens a database file, made when there is none; several processes may. Throws `usage` out of range, and `local`. */
export async function openSandbox(request: SandboxRequest): Promise<Sandbox> {
  const { file, relations = defaultParameters.relations, seed = defaultParameters.seed } = request;
  between('a number of relations', relations, [3, 10_000_000]);
  between('a seed', seed, [0, 0xffff_ffff]);
  // The work itself is synchronous; callers rely on the promise only.
  await Promise.resolve();
  const { report } = request;
  const fill = (empty: Store): void => fillStore(empty, { relations, seed }, defined({ report }));
  const store = openOrCreate({ file, fill, ...defined({ report }) });
  const dataset = storedParameters(store);
  store.origin = originOf(dataset);
  return {
    file,
    store,
    namespace: sandboxNamespace,
    mode: request.mode ?? 'strict',
    ...defined({ publicUrl: request.publicUrl, onMuchMemory: request.onMuchMemory }),
    dataset,
    now: request.now ?? (() => new Date()),
    newId: request.newId ?? randomUUID,
    close: () => store.close(),
  };
}

interface Embedded {
  readonly namespace: string;
  readonly answer: HttpHandler;
  close(): void;
}

/** Opens the sandbox on a database file, made when there is none, to answer without a server. Throws `local`. */
export async function openEmbedded(file: string): Promise<Embedded> {
  const sandbox = await openSandbox({ file });
  const endpoint = createEndpoint(sandbox);
  // As the server answers what it does not leave to the endpoint.
  const answerWithin: HttpHandler = (request) =>
    request.body.length > mostBodyBytes
      ? Promise.resolve(tooLarge())
      : endpoint(request).catch(() => plain(500, 'The sandbox failed to answer.'));
  const answer: HttpHandler = async (request) => {
    const { headers, ...response } = await answerWithin(request);
    return { ...response, headers: { date: sandbox.now().toUTCString(), ...headers } };
  };
  return { namespace: sandbox.namespace, answer, close: () => sandbox.close() };
}
