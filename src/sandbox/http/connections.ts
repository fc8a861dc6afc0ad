import type { Socket } from 'node:net';

/** The connections of a server: which are idle, and which are answering. */
export interface Connections {
  readonly closing: boolean;
  add(socket: Socket): void;
  /** A request came on this connection. */
  begin(socket: Socket): void;
  /** The answer was sent, or cannot be sent any more. */
  end(socket: Socket): void;
  /** Ends idle connections now, and the others when their answers were sent. */
  endIdle(): void;
}

/**
 * Allows at most so many connections. For one more, the connection that has been idle longest is closed, so that idle
 * sockets cannot block new requests; when all are answering, the new connection is closed.
 */
export function keepConnections(limit: number): Connections {
  // A Set keeps the order of adding: the first idle one is the one that has been idle longest.
  const idle = new Set<Socket>();
  const answering = new Set<Socket>();
  let closing = false;
  const add = (socket: Socket): void => {
    if (idle.size + answering.size >= limit) {
      const [oldest] = idle;
      if (oldest === undefined) {
        socket.destroy();
        return;
      }
      idle.delete(oldest);
      oldest.destroy();
    }
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      answering.delete(socket);
    });
  };
  return {
    get closing() {
      return closing;
    },
    add,
    begin: (socket) => {
      idle.delete(socket);
      answering.add(socket);
    },
    end: (socket) => {
      if (!answering.delete(socket) || socket.destroyed) return;
      if (closing) socket.end();
      else idle.add(socket);
    },
    endIdle: () => {
      closing = true;
      for (const socket of idle) socket.destroy();
    },
  };
}
