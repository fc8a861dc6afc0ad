import { setImmediate } from 'node:timers/promises';
import { Exchange } from './exchange.js';
import { headersIn, isStreamed, type HttpClient, type HttpHandler } from './http.js';

/** Bytes that are given at once. Between two such pieces signals and time limits are looked after. */
const pieceBytes = 64 * 1024;

async function* piecesOf(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  ended: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const whole of body)
    for (let from = 0; from < whole.length; from += pieceBytes) {
      if (bytes > 0) await setImmediate();
      signal.throwIfAborted();
      const piece = whole.subarray(from, from + pieceBytes);
      bytes += piece.length;
      yield piece;
    }
  ended(bytes);
}

/**
 * An HTTP client whose requests a handler of this process answers, without a socket. Time limits, stopping and errors are those
 * of any other client.
 */
export const clientOf =
  (answer: HttpHandler): HttpClient =>
  async ({ url: address, headers, body, ...request }, options) => {
    const { origin, host, pathname, search } = new URL(address);
    const { sent, received = () => undefined } = options;
    const exchange = new Exchange({ target: host, origin }, options);
    const { signal } = exchange;
    const watched = isStreamed(body) ? { ...body, open: () => exchange.watchParts(body.open()) } : body;
    return exchange.run(async () => {
      await setImmediate();
      signal.throwIfAborted();
      exchange.handOver();
      const url = `${pathname}${search}`;
      const response = await answer({ ...request, url, headers: { ...headersIn(headers), host }, body: watched });
      signal.throwIfAborted();
      sent?.();
      // What took longer than its limit is found out here: the handler works without a pause.
      await setImmediate();
      signal.throwIfAborted();
      exchange.takeHead();
      return { ...response, body: exchange.receive(piecesOf(response.body, signal, received)) };
    });
  };
