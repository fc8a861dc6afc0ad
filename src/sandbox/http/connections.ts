import type { Socket } from 'node:net';

/** What a connection waits for, of its client: a request, the rest of one, or that an answer is taken. */
type Expected = 'request' | 'body' | 'taking';

/** The connections of a server: those that wait for their client, and those that are answering. */
export interface Connections {
  readonly closing: boolean;
  add(socket: Socket): void;
  /** True for a connection beyond the limit that came when all others were answering. */
  isSurplus(socket: Socket): boolean;
  /** Something came from the client, or was taken by it, and this is expected next. */
  expect(socket: Socket, expected: Expected): void;
  /** The request is whole, and the client waits for the answer. */
  answering(socket: Socket): void;
  /** Ends those whose client has taken nothing of an answer for so many milliseconds. */
  endStuck(forMs: number): void;
  /** Ends those now that wait for a request or the rest of one, and the others when their answers were sent. */
  close(): void;
}

interface Quiet {
  readonly expected: Expected;
  readonly sinceMs: number;
}

const words = 'The sandbox has too many connections, and this one was silent for the longest time.\n';
const silent = `HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${words.length}\r\nConnection: close\r\n\r\n${words}`;

/** Ends a connection; who has sent half a request is told why. What was written is sent before it is closed. */
function refuse(socket: Socket, { expected }: Quiet): void {
  if (expected === 'body') socket.write(silent, () => socket.destroy());
  else socket.destroy();
}

function destroyAfter(socket: Socket, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Connections beyond the limit that are kept until they were told so. */
const spare = 64;

/**
 * Allows at most so many connections. For one more, the one whose client has been silent longest is ended, so that idle
 * sockets and half requests keep nobody out; one that comes while all are answering is surplus.
 * @param halfOpenMs how long an answer may take to a client that has said that it sends nothing more
 */
export function keepConnections(limit: number, halfOpenMs: number): Connections {
  // A Map keeps the order of adding: the first one has been silent longest.
  const quiet = new Map<Socket, Quiet>();
  const answering = new Set<Socket>();
  const surplus = new Set<Socket>();
  let closing = false;

  const trim = (): void => {
    for (const [socket, state] of quiet) {
      const size = quiet.size + answering.size;
      if (size <= limit) return;
      if (surplus.has(socket) && size <= limit + spare) continue;
      quiet.delete(socket);
      refuse(socket, state);
    }
  };
  const destroyAll = (isMeant: (state: Quiet) => boolean): void => {
    for (const [socket, state] of quiet) if (isMeant(state)) socket.destroy();
  };
  const expect = (socket: Socket, expected: Expected): void => {
    answering.delete(socket);
    quiet.delete(socket);
    if (socket.destroyed) return;
    if (closing && expected === 'request') socket.end();
    else quiet.set(socket, { expected, sinceMs: performance.now() });
  };
  const add = (socket: Socket): void => {
    if (answering.size >= limit) surplus.add(socket);
    expect(socket, 'request');
    // Who says that nothing more comes may still want the answer, or may have gone, which shows only when it is sent.
    socket.once('end', () => {
      if (answering.has(socket)) expect(socket, 'taking');
      destroyAfter(socket, halfOpenMs);
    });
    socket.once('close', () => {
      for (const known of [quiet, answering, surplus]) known.delete(socket);
    });
    // What has come already is read in the next turn of the event loop: who has sent a request is not silent.
    if (quiet.size + answering.size > limit) setImmediate(() => setImmediate(trim));
  };
  return {
    get closing() {
      return closing;
    },
    add,
    isSurplus: (socket) => surplus.has(socket),
    expect,
    answering: (socket) => {
      quiet.delete(socket);
      if (!socket.destroyed) answering.add(socket);
    },
    endStuck: (forMs) => {
      const untilMs = performance.now() - forMs;
      destroyAll(({ expected, sinceMs }) => expected === 'taking' && sinceMs <= untilMs);
    },
    close: () => {
      closing = true;
      destroyAll(({ expected }) => expected !== 'taking');
    },
  };
}
