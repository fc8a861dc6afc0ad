import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A port that takes no more connections: whoever connects waits. */
export interface FullQueue {
  readonly port: number;
  /** Lets those who wait in: each request is answered with the word `slow`, once its connection is there. */
  open(): void;
  close(): void;
}

const listener = `const server = require('node:http').createServer((request, response) => response.end('slow'));
server.listen({ port: Number(process.argv[2]), host: process.argv[1], backlog: 1 }, () => console.log(server.address().port));`;

/** Starts a listener that is stopped before it accepts anything, and fills its queue. */
export async function fullQueue(host = '127.0.0.1', wanted = 0): Promise<FullQueue> {
  const child = spawn(process.execPath, ['-e', listener, host, String(wanted)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  child.kill('SIGSTOP');
  const sockets: Socket[] = [];
  // More than the queue of one holds; those beyond it stay on their way in.
  for (let number = 0; number < 8; number += 1) {
    const socket = connect(port, host);
    socket.on('error', () => undefined);
    sockets.push(socket);
  }
  await once(sockets[0] ?? child, 'connect');
  const leave = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    open: () => {
      leave();
      child.kill('SIGCONT');
    },
    close: () => {
      leave();
      child.kill('SIGKILL');
    },
  };
}
