import {
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { isObject, orElse } from '../../core/values/value.js';
import type { Sink } from '../../formats/streams.js';

const mostMessageBytes = 16 * 1024 * 1024;

/** Requests that may wait for their answers; no more is read until there are fewer. */
const mostPending = 64;

function requestIdIn(value: unknown): RequestId | undefined {
  const { id } = isObject(value) ? value : {};
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : undefined;
}

/**
 * Messages of JSON-RPC, one a line, from a stream of bytes and to a sink. Lines that are too long or no message are answered
 * with an error, and those behind them are read. It knows the requests that wait for an answer.
 */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #out: Sink;
  readonly #pending = new Set<unknown>();
  #waiting: (() => void)[] = [];
  #isClosed = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(chunks: AsyncIterable<Uint8Array>, out: Sink) {
    this.#chunks = chunks;
    this.#out = out;
  }

  /** Resolves at the end of the stream. Throws what the stream throws. */
  get read(): Promise<void> {
    return this.#reading;
  }

  start(): Promise<void> {
    this.#reading = this.#readAll();
    // Who waits for the end hears of it.
    this.#reading.catch(() => undefined);
    return Promise.resolve();
  }

  /** Resolves when fewer requests than this wait for an answer. */
  async fewerThan(count: number): Promise<void> {
    while (this.#pending.size >= count && !this.#isClosed)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #readAll(): Promise<void> {
    const lines = new LineCutter(mostMessageBytes);
    for await (const chunk of this.#chunks) for (const line of lines.take(chunk)) await this.#line(line);
    await this.#line(lines.end());
  }

  /** @param line undefined for one that was too long */
  async #line(line: Buffer | undefined): Promise<void> {
    if (line === undefined) return this.#refuse(INVALID_REQUEST, `a message is longer than ${mostMessageBytes} bytes`);
    let value: unknown;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(line).trim();
      if (text === '') return;
      value = JSON.parse(text);
    } catch {
      return this.#refuse(PARSE_ERROR, 'a message is one line of JSON, in UTF-8');
    }
    const message = orElse(() => parseJSONRPCMessage(value), undefined);
    if (message !== undefined) return this.#deliver(message);
    return this.#refuse(INVALID_REQUEST, 'a line must be one JSON-RPC 2.0 message', requestIdIn(value));
  }

  async #deliver(message: JSONRPCMessage): Promise<void> {
    await this.fewerThan(mostPending);
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.#pending.add(message.id);
    this.onmessage?.(message);
    // A request that is cancelled is not answered.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.#settle(message.params?.['requestId']);
  }

  #settle(id: unknown): void {
    this.#pending.delete(id);
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #refuse(code: number, message: string, id?: RequestId): Promise<void> {
    return this.send({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    await this.#out.write(`${JSON.stringify(message)}\n`);
    if (isJSONRPCResponse(message)) this.#settle(message.id);
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#wake();
    this.onclose?.();
    return Promise.resolve();
  }
}

const newline = 0x0a;

/** Cuts bytes that come in pieces into lines of at most so many bytes. */
export class LineCutter {
  readonly #most: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** True where the line that does not end yet is longer than it may be: its bytes are dropped. */
  get isTooLong(): boolean {
    return this.#bytes > this.#most;
  }

  /** The lines that end in a piece; undefined for one that is too long. */
  *take(piece: Uint8Array): Generator<Buffer | undefined> {
    let from = 0;
    for (let to = piece.indexOf(newline); to !== -1; to = piece.indexOf(newline, from)) {
      this.#add(piece.subarray(from, to));
      yield this.end();
      from = to + 1;
    }
    this.#add(piece.subarray(from));
  }

  /** The line so far, which ends here. */
  end(): Buffer | undefined {
    const line = this.isTooLong ? undefined : Buffer.concat(this.#pieces);
    [this.#pieces, this.#bytes] = [[], 0];
    return line;
  }

  #add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    // The writer may use its bytes again.
    if (this.isTooLong) this.#pieces = [];
    else this.#pieces.push(Uint8Array.from(bytes));
  }
}
