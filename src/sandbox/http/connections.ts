import type { Socket } from 'node:net';

/** The connections of a server: which are open, which are answering. */
export interface Connections {
  readonly closing: boolean;
  add(socket: Socket): void;
  /** A request came on this connection. */
  begin(socket: Socket): void;
  /** Its answer is out, or never will be. */
  end(socket: Socket): void;
  /** Ends connections that wait for a request now, and the others as their answers go out. */
  endIdle(): void;
}

/**
 * Keeps at most so many connections. One too many costs the connection that has been idle longest its place, so that
 * sockets which are opened and then left alone cannot shut out somebody who asks; when all are answering, the newcomer goes.
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
