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
import { isObject } from '../../core/values/value.js';
import type { Sink } from '../../formats/streams.js';

const mostMessageBytes = 16 * 1024 * 1024;

/** Requests that may wait for their answers; no more is read until there are fewer. */
const mostPending = 64;

const newline = 0x0a;

const keyOf = (id: RequestId): string => JSON.stringify(id);

const isSubscription = ({ method }: { readonly method: string }): boolean => method === 'subscriptions/listen';

function requestIdIn(value: unknown): RequestId | undefined {
  if (!isObject(value)) return undefined;
  const { id } = value;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : undefined;
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/**
 * Messages of JSON-RPC, one a line, from a stream of bytes and to a sink. Lines that are too long or no message are answered
 * with an error, and those behind them are read. It counts the requests that wait for an answer.
 */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #out: Sink;
  readonly #pending = new Map<string, number>();
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
    let begun: Uint8Array[] = [];
    let bytes = 0;
    const add = (piece: Uint8Array): void => {
      bytes += piece.length;
      if (bytes <= mostMessageBytes) begun.push(piece);
      else begun = [];
    };
    for await (const chunk of this.#chunks) {
      let from = 0;
      for (let to = chunk.indexOf(newline); to !== -1; to = chunk.indexOf(newline, from)) {
        add(chunk.subarray(from, to));
        await this.#line(bytes > mostMessageBytes ? undefined : Buffer.concat(begun));
        begun = [];
        bytes = 0;
        from = to + 1;
      }
      add(chunk.subarray(from));
    }
    if (bytes > 0) await this.#line(bytes > mostMessageBytes ? undefined : Buffer.concat(begun));
  }

  /** @param line undefined for one that was too long */
  async #line(line: Buffer | undefined): Promise<void> {
    if (line === undefined) {
      await this.#refuse(INVALID_REQUEST, `a message is longer than ${mostMessageBytes} bytes`);
      return;
    }
    let value: unknown;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(line).trim();
      if (text === '') return;
      value = JSON.parse(text);
    } catch {
      await this.#refuse(PARSE_ERROR, 'a message is one line of JSON, in UTF-8');
      return;
    }
    await this.#message(value);
  }

  async #message(value: unknown): Promise<void> {
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const what = Array.isArray(value)
        ? 'messages come one a line, not in a list'
        : 'this is no message of JSON-RPC 2.0';
      await this.#refuse(INVALID_REQUEST, what, requestIdIn(value));
      return;
    }
    await this.fewerThan(mostPending);
    if (isJSONRPCRequest(message) && !isSubscription(message)) this.#count(message.id, 1);
    this.onmessage?.(message);
    const cancelled = cancelledBy(message);
    // What is cancelled is not answered.
    if (cancelled !== undefined) this.#count(cancelled, -1);
  }

  #count(id: RequestId, by: 1 | -1): void {
    const key = keyOf(id);
    const count = (this.#pending.get(key) ?? 0) + by;
    if (count > 0) this.#pending.set(key, count);
    else this.#pending.delete(key);
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #refuse(code: number, message: string, id?: RequestId): Promise<void> {
    return this.send({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    await this.#out.write(`${JSON.stringify(message)}\n`);
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#count(message.id, -1);
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#wake();
    this.onclose?.();
    return Promise.resolve();
  }
}
