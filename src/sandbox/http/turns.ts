import type { Socket } from 'node:net';

/**
 * Gives turns in the order in which they were asked for, one in each turn of the event loop: between two requests that are
 * carried out, others can be read, answers can be sent, and signals arrive.
 * @param room resolves when there is room for one more answer
 */
export function openTurns(room: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(room).then(() => new Promise((resolve) => setImmediate(resolve))));
}

/** The requests of one connection, of which a client may send several before the first is answered. */
interface Line {
  waiting: number;
  last: Promise<void>;
}

/** Work for a request; `isOver` when too many wait before it on its connection. */
type Work = (isOver: boolean) => Promise<void>;

/**
 * Carries out the requests of each connection one after the other. Up to so many wait; the one beyond that is the last, and
 * those behind it are passed over.
 */
export function openLines(most: number): (socket: Socket, work: Work) => void {
  const lines = new WeakMap<Socket, Line>();
  return (socket, work) => {
    const line = lines.get(socket) ?? { waiting: 0, last: Promise.resolve() };
    lines.set(socket, line);
    const before = line.waiting;
    if (before > most) return;
    // Its connection is ended: none that comes later is carried out, though others are answered until then.
    line.waiting = before === most ? Infinity : before + 1;
    line.last = line.last.then(async () => {
      try {
        if (!socket.destroyed) await work(before === most);
      } catch {
        socket.destroy();
      }
      line.waiting -= 1;
    });
  };
}
