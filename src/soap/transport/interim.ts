import type { ClientRequest } from 'node:http';

/** A service sends one or two before its answer. */
const mostInterim = 100;

/**
 * Bounds the interim answers (1xx) to a request, of which Node takes any number: 100 MB of them took 20 s of each call.
 * @param tooMany called at the first one beyond the bound, with the bound
 */
export function boundInterim(request: ClientRequest, tooMany: (most: number) => void): void {
  let count = 0;
  request.on('information', () => {
    count += 1;
    if (count === mostInterim + 1) tooMany(mostInterim);
  });
}
