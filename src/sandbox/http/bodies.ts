import type { IncomingMessage } from 'node:http';
import { readBody, type ReadBody } from '../../files/body-file.js';
import { allowanceOf } from '../../plain/allowance.js';
import { serverLimits } from './limits.js';

/** Reads the whole body of a request, in memory or in a file, or tells why it is not read. */
export type ReadRequestBody = (
  request: IncomingMessage,
  onPiece: () => void,
) => Promise<ReadBody | 'too-large' | 'no-room'>;

async function* told(request: IncomingMessage, onPiece: () => void): AsyncGenerator<Uint8Array> {
  // Whoever reads no further leaves the request as it is: it is still to be answered.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    onPiece();
    // Without an encoding, pieces are bytes.
    yield piece as Buffer;
  }
}

/** Opens the room for the bodies of all requests of a server. */
export function openBodies(): ReadRequestBody {
  const { bodyBytes: most, heldBytes: held, memoryBytes, diskBytes } = serverLimits;
  const bounds = { most, held, memory: allowanceOf(memoryBytes), disk: allowanceOf(diskBytes) };
  return async (request, onPiece) => {
    if (Number(request.headers['content-length'] ?? 0) > most) return 'too-large';
    return readBody(told(request, onPiece), bounds);
  };
}
