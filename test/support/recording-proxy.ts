import { connect, type Socket } from 'node:net';
import { brokenServer, httpAnswer, type BrokenServer, type SeenRequest } from './broken-server.js';

/** How a proxy behaves. */
export interface ProxyBehaviour {
  /** `user:password` that it asks for. */
  readonly login?: string;
  /** Where it goes instead of the place that it is asked for, so that names which exist nowhere can be used. */
  readonly port: number;
  /** Status that it refuses every CONNECT with. */
  readonly refuses?: number;
  /** Never answer a CONNECT. */
  readonly silent?: true;
}

function connectTo(port: number, socket: Socket, first: Buffer | undefined): void {
  const onward = connect(port, '127.0.0.1');
  onward.on('error', () => socket.destroy());
  socket.once('close', () => onward.destroy());
  onward.once('close', () => socket.destroy());
  if (first !== undefined) onward.write(first);
  socket.pipe(onward);
  onward.pipe(socket);
}

/** The request as a proxy passes it on: for the path only, without what was meant for the proxy. */
function passedOn({ method, target, headers, body }: SeenRequest): Buffer {
  const { pathname, search } = new URL(target);
  const lines = Object.entries(headers)
    .filter(([name]) => !name.startsWith('proxy-'))
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

/** Starts a proxy that speaks CONNECT and plain forwarding; its `requests` are what it could see. */
export async function recordingProxy(behaviour: ProxyBehaviour): Promise<BrokenServer> {
  const { login, port, refuses, silent } = behaviour;
  const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  return brokenServer({
    answer: (socket, request) => {
      if (expected !== undefined && request.headers['proxy-authorization'] !== expected) {
        socket.end(httpAnswer({ status: 407, headers: { 'Proxy-Authenticate': 'Basic realm="proxy"' } }));
        return;
      }
      if (silent === true) return;
      if (refuses !== undefined) {
        socket.end(httpAnswer({ status: refuses, body: 'refused by the proxy' }));
        return;
      }
      socket.removeAllListeners('data');
      if (request.method === 'CONNECT') socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      connectTo(port, socket, request.method === 'CONNECT' ? undefined : passedOn(request));
    },
  });
}
