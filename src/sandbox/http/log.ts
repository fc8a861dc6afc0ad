import { isList, isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import type { Operation } from '../../contract/build.js';
import { findOperation } from '../../contract/service.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { HttpRequest, OutgoingResponse } from '../../soap/transport/http.js';
import { secretsOf } from '../../soap/codec/credentials.js';
import { createMask } from '../../core/secrets/mask.js';
import type { OperationRequest, Middleware, Executed, Serve } from '../context.js';
import { readWhole, once } from '../answers.js';
import { readFacts } from '../faults/with-faults.js';
import type { Store } from '../store/open.js';

/** One request and its outcome. Members that do not apply are left out. */
export interface LogEntry {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly soap?: string;
  readonly operation?: string;
  readonly user?: string;
  /** The parameters, without the credentials; long texts are cut. */
  readonly input?: RecordValue;
  /** `done`, `refused: …` with the reason, or `failed` for a defect. */
  readonly outcome?: string;
  /** How many items the lists of the result have. */
  readonly items?: Readonly<Record<string, number>>;
  /** Rows of the database that were added, changed or removed. */
  readonly written?: number;
  /** The faults that were applied to it, as lines of the plan. */
  readonly faults?: readonly string[];
  /** HTTP status; left out when the connection was ended instead. */
  readonly status?: number;
  /** Length of the answer before it is compressed. */
  readonly bytes?: number;
  readonly ms: number;
}

/** Writes the log, and measures time. */
export interface LogWriter {
  readonly write: (entry: LogEntry) => void;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
}

type Mutable = { -readonly [K in keyof LogEntry]: LogEntry[K] };

const longestText = 200;

const textForLog = (masked: string, length: number): string =>
  masked.length <= longestText ? masked : `${masked.slice(0, longestText)}… (${length} characters)`;

const valueForLog = (value: Value, mask: (text: string) => string): Value => {
  if (typeof value === 'string') return textForLog(mask(value), value.length);
  if (isList(value)) return value.map((item) => valueForLog(item, mask));
  return isRecord(value) ? recordForLog(value, mask) : value;
};

const recordForLog = (record: RecordValue, mask: (text: string) => string): RecordValue =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, valueForLog(value, mask)]));

const inputForLog = ({ input, content }: OperationRequest, mask: (text: string) => string): RecordValue => {
  const masked = recordForLog(input, mask);
  return content === undefined
    ? masked
    : { ...masked, [content.member]: textForLog(mask(content.head), content.length) };
};

const itemCounts = (operation: Operation, result: RecordValue): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.keys(operation.result).flatMap((name) => {
      const value = result[name];
      return Array.isArray(value) ? [[name, value.length] as const] : [];
    }),
  );

const rowsWritten = (store: Store): number => Number(store.statement('SELECT total_changes()').first()?.[0] ?? 0);

const refusalIn = (result: RecordValue): string | undefined => {
  const { Result: envelope, ErrorInformation: information } = result;
  if (isRecord(envelope) && envelope['Succeeded'] === false) {
    const { Description: description } = envelope;
    return typeof description === 'string' ? description : '';
  }
  return typeof information === 'string' && information !== '' ? information : undefined;
};

const outcomeOf = (thrown: unknown): string => {
  const { kind, message } = RelctlError.from(thrown);
  return kind === 'refused' ? `refused: ${message}` : 'failed';
};

const noting = (entry: Mutable, store: Store): Middleware => {
  return (operationRequest, execute) => {
    const { operation, credentials, version } = operationRequest;
    const mask = createMask(credentials ? secretsOf(credentials) : []);
    const user = credentials?.['UserId'];
    Object.assign(entry, { soap: version, operation: operation.name, input: inputForLog(operationRequest, mask) });
    if (typeof user === 'string') entry.user = mask(user);
    const before = rowsWritten(store);
    let executed: Executed | undefined;
    try {
      executed = execute(operationRequest);
      const no = refusalIn(executed.result);
      entry.outcome = no === undefined ? 'done' : mask(`refused: ${no}`);
      entry.items = itemCounts(operation, executed.result);
      return executed;
    } catch (thrown) {
      entry.outcome = mask(outcomeOf(thrown));
      throw thrown;
    } finally {
      entry.written = rowsWritten(store) - before;
    }
  };
};

const sent = async (answer: OutgoingResponse, entry: Mutable): Promise<OutgoingResponse> => {
  entry.status = answer.status;
  const declared = answer.length ?? answer.headers['content-length'];
  if (declared !== undefined) {
    entry.bytes = Number(declared);
    return answer;
  }
  const { body } = await readWhole(answer);
  entry.bytes = body.length;
  return { ...answer, body: once(body) };
};

/** The path, with the query only where it asks for a page: any other may hold secrets. */
const pathOf = ({ url }: Pick<HttpRequest, 'url'>): string => {
  const [path = '', query = ''] = url.split('?');
  return `${path.slice(0, longestText)}${/^(?:wsdl|op=\w{1,80})$/i.test(query) ? `?${query}` : ''}`;
};

/** Logs each request of a service when its answer is ready. */
export function logged(serve: Serve, writer: LogWriter): Serve {
  return async (served) => {
    const { context, request } = served;
    const entry: Mutable = { at: context.now().toISOString(), method: request.method, path: pathOf(request), ms: 0 };
    const faults: string[] = [];
    const from = writer.nowMs();
    try {
      const middleware = noting(entry, context.store);
      return await sent(
        await serve({ request, context: { ...context, middleware }, onFault: (text) => faults.push(text) }),
        entry,
      );
    } finally {
      entry.ms = Math.round((writer.nowMs() - from) * 10) / 10;
      if (faults.length > 0) entry.faults = faults;
      // A call that was not executed has its operation in the log too.
      const operation = entry.operation ?? findOperation(readFacts(request).operation)?.name;
      if (operation !== undefined) entry.operation = operation;
      writer.write(entry);
    }
  };
}

/** The entry of a request that was refused before it was read. */
export function turnedAway(
  request: { readonly method: string; readonly url: string },
  { at, status }: { readonly at: Date; readonly status: number },
): LogEntry {
  return { at: at.toISOString(), method: request.method, path: pathOf(request), outcome: 'turned away', status, ms: 0 };
}
