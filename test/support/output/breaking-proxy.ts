import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server in front of another. */
export interface BreakingProxy {
  readonly url: string;
  close(): void;
}

/** Hands requests on to a server, but answers one that contains a text with a page of HTML. */
export async function breakingProxy(target: string, text: string): Promise<BreakingProxy> {
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      if (body.includes(text)) {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Maintenance</title></html>');
        return;
      }
      const { hostname, port } = new URL(target);
      const headers = { ...request.headers, host: `${hostname}:${port}` };
      const forward = http.request(`${target}${request.url ?? ''}`, { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forward.on('error', () => response.destroy());
      forward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
