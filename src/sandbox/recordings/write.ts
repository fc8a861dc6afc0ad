import { chmodSync, closeSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { RelctlError, usage, codeOf } from '../../core/errors/relctl-error.js';
import { addTo } from '../../state/added-file.js';
import { writeAll } from '../../state/durable.js';
import { attempt, makeFolders } from '../../state/own-file.js';
import { defined } from '../../core/values/value.js';
import { piecesOf, type Headers, type HttpResponse, type HttpRequest } from '../../soap/transport/http.js';
import { shortest } from '../../core/secrets/forms.js';
import { createMask } from '../../core/secrets/mask.js';
import { byteMasks, type ByteMask } from './byte-mask.js';

interface StartedCall extends Pick<RecordedCall, 'operation' | 'namespace' | 'filled'> {
  /** The request with its credentials replaced before it was written. */
  readonly request: HttpRequest;
}

/** What is needed to record. */
export interface RecorderOptions {
  readonly folder: string;
  readonly secrets: readonly string[];
  readonly now: () => Date;
}

/** Headers of an answer that are kept: cookies and the like are not. */
const storedHeaders = [
  'content-type',
  'date',
  'retry-after',
  'server',
  'x-aspnet-version',
  'x-powered-by',
  'request-id',
  'x-request-id',
  'x-correlation-id',
];

/** Headers of a request that are kept; those of gateways are not. */
const storedRequestHeaders = ['content-type', 'soapaction'];

const chosen = (headers: Headers, names: readonly string[], mask: (text: string) => string): Headers =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, mask(headers[name])]])));

/** Throws `usage` for a secret that would be found everywhere: no answer could be rid of it. */
function checkSecrets(secrets: readonly string[]): void {
  if (secrets.every(({ length }) => length === 0 || length >= shortest)) return;
  throw usage(
    '--record',
    `a secret of fewer than ${shortest} characters cannot be masked in answers: relctl records nothing`,
    {
      advice: 'Omit --record, or use a longer password.',
      hint: null,
    },
  );
}

function unfit(folder: string, stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return 'is a symbolic link';
  const names = stats.isDirectory() ? attempt(folder, () => readdirSync(folder)) : undefined;
  const isOurs = names !== undefined && (names.length === 0 || names.includes(indexName));
  const isOwn = process.getuid === undefined || stats.uid === process.getuid();
  return isOurs && isOwn ? undefined : 'is neither an empty folder of yours nor one with a recording';
}

const existsAlready = (thrown: unknown): boolean => codeOf(thrown) === 'EEXIST';

function makeFolder(folder: string): void {
  attempt(folder, () => {
    try {
      makeFolders(folder);
    } catch (thrown) {
      if (!existsAlready(thrown)) throw thrown;
    }
  });
}

/** Makes the folder, or takes one that is empty or holds a recording. Throws `usage` and `local`. */
function openFolder(folder: string): void {
  makeFolder(folder);
  const stats = attempt(folder, () => lstatSync(folder));
  const reason = unfit(folder, stats);
  if (reason !== undefined)
    throw usage('--record', `${folder} ${reason}`, { advice: 'Choose a folder that does not exist yet.', hint: null });
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) attempt(folder, () => chmodSync(folder, 0o700));
}

class Recorder {
  readonly #options: RecorderOptions;
  readonly #newMask: () => ByteMask;
  readonly #mask: (text: string) => string;
  #number = 0;
  #failure: RelctlError | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#newMask = byteMasks(options.secrets);
    this.#mask = createMask(options.secrets);
    const numbers = readdirSync(options.folder).map((name) => Number(/^(\d+)\.request\.xml$/.exec(name)?.[1] ?? 0));
    this.#number = numbers.reduce((most, number) => Math.max(most, number), 0);
  }

  /** Records the request, before it is sent. Throws `local`, with nothing sent. */
  begin({ operation, namespace, filled, request }: StartedCall) {
    const at = this.#options.now().toISOString();
    const number = this.#request(request);
    const { url, headers } = request;
    const call = {
      number,
      operation,
      at,
      url: this.#mask(url),
      namespace,
      headers: chosen(headers, storedRequestHeaders, this.#mask),
      ...defined({ filled }),
    };
    return {
      /** The same answer, which is recorded while it is read. */
      answered: (response: HttpResponse): HttpResponse => ({ ...response, body: this.#watched(call, response) }),
      failed: (error: RelctlError): void =>
        this.#index({ ...call, error: this.#mask(`${error.kind}: ${error.message}`) }),
    };
  }

  /** Throws `local` when an answer could not be recorded: the call itself went on. */
  close(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Writes the request under the next number that nobody has; another process may record in the same folder. */
  #request({ body }: HttpRequest): number {
    const handle = this.#next();
    const mask = this.#newMask();
    try {
      attempt(this.#options.folder, () => {
        for (const piece of piecesOf(body)) writeAll(handle, mask.take(piece));
        writeAll(handle, mask.end());
      });
    } catch (thrown) {
      throw RelctlError.from(thrown).with({ unsent: true });
    } finally {
      closeSync(handle);
    }
    return this.#number;
  }

  #next(): number {
    for (;;) {
      this.#number += 1;
      const file = join(this.#options.folder, fileNames(this.#number).request);
      try {
        return openSync(file, 'wx', 0o600);
      } catch (thrown) {
        if (existsAlready(thrown)) continue;
        return attempt(file, () => {
          throw thrown;
        });
      }
    }
  }

  async *#watched(
    call: Omit<RecordedCall, 'answer'>,
    { status, headers, body }: HttpResponse,
  ): AsyncGenerator<Uint8Array> {
    const file = join(this.#options.folder, fileNames(call.number).answer);
    const mask = this.#newMask();
    let bytes = 0;
    let complete = false;
    const handle = this.#quietly(() => attempt(file, () => openSync(file, 'wx', 0o600)));
    const write = (piece: Buffer): void =>
      this.#quietly(() => {
        if (handle === undefined || this.#failure !== undefined) return;
        attempt(file, () => writeAll(handle, piece));
        bytes += piece.length;
      });
    try {
      for await (const chunk of body) {
        write(mask.take(chunk));
        yield chunk;
      }
      complete = true;
    } finally {
      write(mask.end());
      if (handle !== undefined) closeSync(handle);
      const masked = chosen(headers, storedHeaders, this.#mask);
      const isWhole = complete && this.#failure === undefined;
      const answer: RecordedAnswer = { status, headers: masked, bytes, masked: mask.replaced, complete: isWhole };
      this.#index({ ...call, answer });
    }
  }

  #index(call: RecordedCall): void {
    const file = join(this.#options.folder, indexName);
    this.#quietly(() => addTo(file, `${JSON.stringify(call)}\n`));
  }

  /** A call whose answer cannot be recorded goes on: its outcome is not that of the recording, which is told at the end. */
  #quietly<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (thrown) {
      this.#failure ??= RelctlError.from(thrown).but({
        advice: `The recording in ${this.#options.folder} is not complete.`,
      });
      return undefined;
    }
  }
}

/**
 * Opens a recording: a new folder, an empty one, or one with a recording, to which calls are added. Throws `usage` for another
 * folder and for secrets that cannot be masked, and `local`.
 */
export function openRecorder(options: RecorderOptions): Recorder {
  checkSecrets(options.secrets);
  openFolder(options.folder);
  const file = join(options.folder, indexName);
  addTo(file, '');
  return attempt(options.folder, () => new Recorder(options));
}

/** Name of the index within the folder of a recording. */
export const indexName = 'index.ndjson';

/** Names of the two files of a call. */
export const fileNames = (number: number): { readonly request: string; readonly answer: string } => {
  const start = String(number).padStart(4, '0');
  return { request: `${start}.request.xml`, answer: `${start}.answer.xml` };
};

/** What was answered. */
export interface RecordedAnswer {
  readonly status: number;
  /** Those that say how the body is to be read, and what the vendor may ask for. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** Places where a secret was replaced; 0 when the file is what came, to the byte. */
  readonly masked: number;
  /** False when the connection ended within the answer, or nobody read on. */
  readonly complete: boolean;
}

/** A line of the index: one attempt of one call. */
export interface RecordedCall {
  readonly number: number;
  readonly operation: string;
  readonly at: string;
  readonly url: string;
  readonly namespace: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters whose value the command made by the clock: another day it would be another one. */
  readonly filled?: readonly string[];
  readonly answer?: RecordedAnswer;
  readonly error?: string;
}
