import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A port that takes no more connections: whoever connects waits. */
export interface FullQueue {
  readonly port: number;
  close(): void;
}

const listener = `const server = require('node:net').createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;

/** Starts a listener that is stopped before it accepts anything, and fills its queue. */
export async function fullQueue(): Promise<FullQueue> {
  const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  child.kill('SIGSTOP');
  const sockets: Socket[] = [];
  // More than the queue of one holds; those beyond it stay on their way in.
  for (let number = 0; number < 8; number += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
  }
  await once(sockets[0] ?? child, 'connect');
  return {
    port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
