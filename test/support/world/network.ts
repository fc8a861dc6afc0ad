import { EventEmitter } from 'node:events';
import http, { type RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import type { Lots, MemoryDisk } from './disk.js';
import type { WorldTime } from './time.js';
import type { AnswerText } from '../broken-server.js';
import { envelope, fault12, namespace } from '../soap-answers.js';
import { formsOf } from '../../../src/core/secrets/forms.js';

/** What a service answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What becomes of a request on its way; `isLost` is what the service did not get. */
export type Fate =
  | 'answered'
  /** Nothing listens. */
  | 'refused'
  /** The connection breaks before the service has it, or before its answer has come, or amid that. */
  | 'lost'
  | 'unanswered'
  | 'torn'
  /** It comes late, when nobody waits for its answer any more; or is answered too late. */
  | 'late'
  | 'silent';

/** How the requests of a service fare. */
interface Faring {
  /** Of a hundred requests so many meet with one of the fates. */
  readonly percent: number;
  readonly fates: readonly Fate[];
  /** The connection is one that was kept: none is refused there. */
  readonly isKept: boolean;
}

/** Draws what becomes of a request. */
export function drawnFate(lots: Lots, { percent, fates, isKept }: Faring): Fate {
  if (lots(100) >= percent) return 'answered';
  const drawn = fates[lots(fates.length)] ?? 'lost';
  return isKept && drawn === 'refused' ? 'lost' : drawn;
}

/** A service at the other end. */
export interface Service {
  /** Milliseconds that a request, and an answer, take at most on their way; 700 where it is not said. */
  readonly slowestMs?: number;
  /** What becomes of the next request; on a kept connection none is refused. */
  fateOf(body: string, isKept: boolean): Fate;
  /** Carries a request out. */
  answer(body: string): Answer;
  /** The whole answer has gone to the client. */
  delivered(body: string): void;
}

/** What stands at the other end of requests. */
export interface Network {
  readonly time: WorldTime;
  readonly lots: Lots;
  readonly service: Service;
  /** The process is killed: nothing leaves it, and nothing gets to it. */
  readonly isDown: () => boolean;
  /** Called at each step of each exchange. */
  readonly step: () => void;
}

class ModelSocket extends EventEmitter {
  connecting = true;
  setKeepAlive(): this {
    return this;
  }
  destroy(): this {
    return this;
  }
}

const broken = (code: string): Error => Object.assign(new Error(code), { code });

/** Connections that were kept, by who keeps them. */
type Kept = WeakMap<object, ModelSocket[]>;

/** A request of a client of node:http. */
class ModelRequest extends EventEmitter {
  destroyed = false;
  #isKept = false;
  readonly #network: Network;
  readonly #callback: (response: unknown) => void;
  readonly #pieces: Buffer[] = [];
  readonly #idle: ModelSocket[] | undefined;
  #answer: Readable | undefined;

  /** @param idle connections that may be used again, where they are kept */
  constructor(network: Network, callback: (response: unknown) => void, idle: ModelSocket[] | undefined) {
    super();
    this.#network = network;
    this.#callback = callback;
    this.#idle = idle;
  }

  setTimeout(): this {
    return this;
  }

  write(piece: Uint8Array): boolean {
    this.#pieces.push(Buffer.from(piece));
    return true;
  }

  end(): this {
    const body = Buffer.concat(this.#pieces).toString();
    this.#soon(() => this.#connect(body));
    return this;
  }

  close(): void {
    this.destroy();
  }

  destroy(failure?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.#answer?.destroy();
    process.nextTick(() => {
      if (this.#answer === undefined) this.emit('error', failure ?? broken('ECONNRESET'));
      this.emit('close');
    });
    return this;
  }

  /** What happens at the client, unless the process has ended meanwhile. */
  #soon(run: () => void, mostMs = 60): void {
    const { time, lots, isDown, step } = this.#network;
    time.after(1 + lots(mostMs), () => {
      step();
      if (!isDown() && !this.destroyed) run();
    });
  }

  #connect(body: string): void {
    const { service } = this.#network;
    const kept = this.#idle?.pop();
    const fate = service.fateOf(body, kept !== undefined);
    if (fate === 'refused') {
      this.destroy(broken('ECONNREFUSED'));
      return;
    }
    const socket = kept ?? new ModelSocket();
    this.emit('socket', socket);
    socket.connecting = false;
    socket.emit('connect');
    this.once('close', () => {
      if (this.#isKept) this.#idle?.push(socket);
    });
    this.#soon(() => {
      this.emit('finish');
      this.#leave(body, fate);
    }, 5);
  }

  /** The request is on its way: whatever becomes of the process from here on. */
  #leave(body: string, fate: Fate): void {
    const { time, lots, service, step } = this.#network;
    if (fate === 'lost') {
      this.#soon(() => this.destroy(broken('ECONNRESET')), 500);
      return;
    }
    const onTheWayMs = fate === 'late' ? 125_000 + lots(60_000) : 1 + lots(service.slowestMs ?? 700);
    time.outside(onTheWayMs, () => {
      step();
      const answer = service.answer(body);
      if (fate === 'unanswered') this.#soon(() => this.destroy(broken('ECONNRESET')), 500);
      else if (fate !== 'silent') this.#soon(() => this.#respond(answer, body, fate), service.slowestMs ?? 700);
    });
  }

  #respond({ status, headers = {}, body }: Answer, asked: string, fate: Fate): void {
    const { service, time } = this.#network;
    const bytes = Buffer.from(body);
    const response = new Readable({ read: () => undefined });
    this.#answer = response;
    const date = new Date(time.nowMs).toUTCString();
    const given = { 'content-type': 'application/soap+xml; charset=utf-8', date, ...headers };
    this.#callback(Object.assign(response, { statusCode: status, statusMessage: '', headers: given, req: this }));
    const whole = fate === 'torn' ? this.#network.lots(bytes.length) : bytes.length;
    if (whole > 0) response.push(bytes.subarray(0, whole));
    this.#soon(() => {
      if (fate === 'torn') {
        response.destroy(broken('ECONNRESET'));
      } else {
        response.push(null);
        this.#isKept = true;
        service.delivered(asked);
      }
      process.nextTick(() => this.emit('close'));
    }, 40);
  }
}

/** Puts a network in the place of node:http until the work is done. */
export async function onNetwork<T>(network: Network, work: () => Promise<T>): Promise<T> {
  const { request } = http;
  const kept: Kept = new WeakMap();
  const idleOf = (agent: RequestOptions['agent']): ModelSocket[] | undefined => {
    if (!(agent instanceof http.Agent) || (agent as { readonly keepAlive?: boolean }).keepAlive !== true)
      return undefined;
    const idle = kept.get(agent) ?? [];
    kept.set(agent, idle);
    return idle;
  };
  const ours = ({ agent }: RequestOptions, callback: (response: unknown) => void): ModelRequest =>
    new ModelRequest(network, callback, idleOf(agent));
  Object.assign(http, { request: ours });
  try {
    return await work();
  } finally {
    http.request = request;
  }
}

/** Name of the operation that a request calls. */
export const operationIn = (body: string): string =>
  new RegExp(`<([A-Za-z_0-9]+) xmlns="${namespace}"`).exec(body)?.[1] ?? '';

/** Text of the first element of a name; empty where there is none. */
export const elementIn = (body: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? '';

const sent = ({ status = 200, headers = {}, body = '' }: AnswerText): Answer => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: String(body),
});

/** The answer to a call with this content of its result. */
export const resultOf = (operation: string, content: string): Answer =>
  sent(
    envelope(
      '1.2',
      `<${operation}Response xmlns="${namespace}"><${operation}Result>${content}</${operation}Result></${operation}Response>`,
    ),
  );

/** Text as XML has it between tags. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The answer by which a service says no; it may quote what it was asked, with all that is in it. */
export const refusal = (quoted = ''): Answer => sent(fault12('Sender', `the record is closed ${escaped(quoted)}`));

const busy = (status: 429 | 503, afterS: number | undefined, quoted: string): Answer => ({
  status,
  headers: { 'content-type': 'text/html', ...(afterS === undefined ? {} : { 'retry-after': String(afterS) }) },
  body: `<html><body>busy ${quoted}</body></html>`,
});

/**
 * The answer by which a service that is asked too much does nothing, in so many of a hundred calls: it may say when to come
 * again, and quotes what it was asked.
 */
export const busyAnswer = (lots: Lots, percent: number, body: string): Answer | undefined =>
  lots(100) < percent ? busy(lots(2) === 0 ? 429 : 503, [undefined, 0, 3, 40][lots(4)], body) : undefined;

/** Texts that must not leave the process but in requests. */
export const secrets = {
  apiKey: '5ec7e7a1-91b4-4c6d-8e2f-0a1b3c4d5e6f',
  password: 'Gl@s & "Scherf"/77?',
};

const forms = Object.entries(secrets).flatMap(([name, secret]) => formsOf(secret).map((form) => [name, form] as const));

/** The secrets of the profile that a text holds, in any form that the program hides. */
const secretsIn = (text: string): readonly string[] => [
  ...new Set(forms.flatMap(([name, form]) => (text.includes(form) ? [name] : []))),
];

/** Says where a secret got to: what was said, and the files. */
export function leaks(said: string, disk: MemoryDisk): readonly string[] {
  const places = [['the output', said] as const, ...disk.files()];
  if (secretsIn(places.map(([, text]) => text).join('\n')).length === 0) return [];
  return places.flatMap(([place, text]) => secretsIn(text).map((name) => `${place} holds the ${name}`));
}
