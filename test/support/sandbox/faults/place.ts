import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { known } from '../../../../src/sandbox/dataset/known.js';
import { FaultPlan } from '../../../../src/sandbox/faults/plan.js';
import { serveSandbox } from '../../../../src/sandbox/http/serve.js';
import type { LogEntry } from '../../../../src/sandbox/http/log.js';
import { temporarySandbox } from '../temporary.js';

const namespace = 'http://relctl.example/sandbox';

/** An answer as it came over the socket: what there was of it, and how the connection ended when it ended too early. */
export interface Heard {
  readonly status?: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** Code of the error that ended it. */
  readonly error?: string;
  /** Number of pieces in which the body came. */
  readonly pieces: number;
  readonly ms: number;
}

/** What to ask. */
export interface Asking {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Gives up so many milliseconds after the headers, or after the request when none come. */
  readonly patienceMs?: number;
}

/** Sends one request on a connection of its own. */
export function hear(port: number, asking: Asking): Promise<Heard> {
  const { method = 'POST', path = '/V1/service.asmx', headers = {}, body = '', patienceMs = 10_000 } = asking;
  const from = performance.now();
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    let seen: Pick<Heard, 'status' | 'headers'> = { headers: {} };
    const end = (error?: string): void => {
      const whole = Buffer.concat(chunks);
      resolve({
        ...seen,
        body: whole,
        text: whole.toString('utf8'),
        pieces: chunks.length,
        ms: performance.now() - from,
        ...(error === undefined ? {} : { error }),
      });
    };
    const failed = (error: NodeJS.ErrnoException): void => end(error.code ?? error.message);
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      seen = { status: response.statusCode ?? 0, headers: response.headers };
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => end());
      response.on('error', failed);
    });
    request.on('error', failed);
    request.setTimeout(patienceMs, () => request.destroy(Object.assign(new Error('waited'), { code: 'WAITED' })));
    request.end(body);
  });
}

const credentials = `<credentials><ApiKey>${known.credentials.ApiKey}</ApiKey><DatabaseId xsi:nil="true"/><UserId xsi:nil="true"/></credentials>`;

/** A call in SOAP 1.1. */
export function soap(operation: string, parameters: string): Asking {
  return {
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${namespace}/${operation}"` },
    body:
      '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
      `<soap:Body><${operation} xmlns="${namespace}">${credentials}${parameters}</${operation}></soap:Body></soap:Envelope>`,
  };
}

/** A page of all relations. */
export const page = (pageNumber: number, pageSize = 10): Asking =>
  soap(
    'RelationGetAll',
    `<pageNumber>${pageNumber}</pageNumber><pageSize>${pageSize}</pageSize>` +
      '<includeFields>false</includeFields><includeCounters>false</includeCounters>',
  );

/** One relation. */
export const relation = (id: string = known.personId): Asking =>
  soap(
    'RelationGet',
    `<relationId>${id}</relationId><includeFields>true</includeFields><includeCounters>true</includeCounters>`,
  );

/** Ids of the relations in an answer, in order. */
export const idsIn = ({ text }: Heard): readonly string[] =>
  [...text.matchAll(/<PvRelationData><Id>([^<]*)</g)].map(([, id = '']) => id);

/** A served sandbox that can be told to misbehave. */
export interface FaultyPlace {
  readonly port: number;
  readonly url: string;
  readonly plan: FaultPlan;
  readonly log: readonly LogEntry[];
  /** Ids of all relations, in order. */
  readonly ids: readonly string[];
  /** Asks under a plan of these lines alone. */
  under(specs: readonly string[], asking: Asking): Promise<Heard>;
  /** Asks with a header. */
  with(spec: string, asking: Asking): Promise<Heard>;
  rows(sql: string): readonly (readonly unknown[])[];
  execute(sql: string): void;
  close(): Promise<void>;
}

/** Serves a temporary sandbox with an empty plan and a log. */
export async function faultyPlace(relations: number): Promise<FaultyPlace> {
  const sandbox = await temporarySandbox(relations);
  const plan = new FaultPlan();
  const log: LogEntry[] = [];
  const keeper = { write: (entry: LogEntry) => void log.push(entry), nowMs: () => performance.now() };
  const server = await serveSandbox(sandbox, { faults: plan, log: keeper });
  const rows = (sql: string): readonly (readonly unknown[])[] => sandbox.store.statement(sql).all();
  return {
    port: server.port,
    url: server.url,
    plan,
    log,
    ids: rows('SELECT "Id" FROM "PvRelationData" ORDER BY seq').map(([id]) => String(id)),
    under: (specs, asking) => {
      plan.clear();
      for (const spec of specs) plan.add(spec);
      return hear(server.port, asking);
    },
    with: (spec, asking) => {
      plan.clear();
      return hear(server.port, { ...asking, headers: { ...asking.headers, 'x-sandbox-fault': spec } });
    },
    rows,
    execute: (sql) => sandbox.store.execute(sql),
    close: async () => {
      await server.close();
      sandbox.close();
    },
  };
}
