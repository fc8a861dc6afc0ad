import dns, { type LookupAddress } from 'node:dns';
import { connect, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';

/** How long after one attempt the next one starts (RFC 8305, section 5). */
const apartMs = 250;

/** What a connection is made with: options of Node's agents, with what ends it before it is there. */
export type ConnectOptions = TcpNetConnectOpts & { readonly givesUp?: AbortSignal | undefined };

type Done = (error: Error | null, socket?: Socket) => void;

/** Addresses of one family and another by turns, the first one first (RFC 8305, section 4). */
function byTurns(addresses: readonly LookupAddress[]): readonly LookupAddress[] {
  const ofFirst = addresses.filter(({ family }) => family === addresses[0]?.family);
  const others = addresses.filter(({ family }) => family !== addresses[0]?.family);
  return addresses.flatMap((_, at) => [ofFirst[at], others[at]].filter((each) => each !== undefined));
}

/** Attempts to connect to one host: the first connection that is there is kept, and none is given up before. */
class Race {
  readonly #options: ConnectOptions;
  readonly #done: Done;
  readonly #left: LookupAddress[];
  readonly #errors: Error[] = [];
  readonly #trying = new Set<Socket>();
  #timer: NodeJS.Timeout | undefined;
  readonly #givesUp = (): void => this.#end(new Error('given up'));

  constructor(addresses: readonly LookupAddress[], options: ConnectOptions, done: Done) {
    this.#options = options;
    this.#done = done;
    this.#left = [...byTurns(addresses)];
    options.givesUp?.addEventListener('abort', this.#givesUp, { once: true });
    if (options.givesUp?.aborted === true) this.#givesUp();
    else this.#next();
  }

  #next(): void {
    clearTimeout(this.#timer);
    const lookupAddress = this.#left.shift();
    if (lookupAddress === undefined) {
      const [first] = this.#errors;
      if (this.#trying.size === 0) this.#end(first ?? new Error('no address'));
      return;
    }
    const socket = connect({ ...this.#options, host: lookupAddress.address, family: lookupAddress.family });
    this.#trying.add(socket);
    const failed = (error: Error): void => {
      this.#trying.delete(socket);
      this.#errors.push(error);
      this.#next();
    };
    socket.once('error', failed);
    socket.once('connect', () => {
      this.#trying.delete(socket);
      socket.off('error', failed);
      this.#end(null, socket);
    });
    if (this.#left.length > 0) this.#timer = setTimeout(() => this.#next(), apartMs);
  }

  #end(error: Error | null, socket?: Socket): void {
    clearTimeout(this.#timer);
    this.#left.length = 0;
    this.#options.givesUp?.removeEventListener('abort', this.#givesUp);
    for (const each of this.#trying) {
      each.removeAllListeners('error').on('error', () => undefined);
      each.destroy();
    }
    this.#trying.clear();
    this.#done(error, socket);
  }
}

/**
 * Connects to a host: to its addresses by turns, 250 ms apart, none given up before the caller gives all of them up. Node's own
 * way gives each of them but the last 250 ms, and then never comes back to it: with IPv6 in DNS and not on the way, or on a slow
 * line, no call would get through.
 */
export function connectTo(options: ConnectOptions, done: Done): void {
  // By its property: who replaces the resolver of the process means this too.
  const lookup: LookupFunction = options.lookup ?? dns.lookup;
  // As Node asks, so that no address is tried of a family that the machine has not.
  const hints = { all: true, hints: process.platform === 'win32' ? 0 : dns.ADDRCONFIG };
  lookup(options.host ?? '', hints, (error, addresses, family = 4) => {
    if (error !== null) done(error);
    else new Race(typeof addresses === 'string' ? [{ address: addresses, family }] : addresses, options, done);
  });
}
