import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

/** A server in front of another that counts what is asked for on each connection. */
interface Gate {
  readonly url: string;
  /** How often the text came on each connection on which it came at all. */
  readonly counts: (text: string) => readonly number[];
  close(): void;
}

async function gateTo(target: string): Promise<Gate> {
  const heard: string[] = [];
  const { hostname, port: there } = new URL(target);
  const server: Server = createServer((socket) => {
    const index = heard.push('') - 1;
    socket.on('data', (chunk) => (heard[index] = `${heard[index] ?? ''}${chunk.toString('latin1')}`));
    const onward = connect(Number(there), hostname);
    for (const each of [socket, onward]) each.on('error', () => undefined);
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts: (text) => heard.map((each) => each.split(text).length - 1).filter((count) => count > 0),
    close: () => void server.close(),
  };
}

describe('The connections of a batch', () => {
  const here = place();
  let gate: Gate | undefined;
  before(async () => {
    gate = await gateTo(here.url());
  });
  after(() => gate?.close());

  async function written(command: string, title: string, rows: readonly string[], element: string): Promise<unknown> {
    const path = here.fresh('rows.csv');
    writeFileSync(path, `${title}\n${rows.map((row) => `${row}\n`).join('')}`);
    const args = [...command.split(' '), '--file', path, '--yes', '--results', `${path}.out`];
    await ends(here.run(args, { env: { RELCTL_BASE_URL: gate?.url } }), 0);
    return gate?.counts(`<${element} `);
  }

  it('are kept for products, which can be read back', async () => {
    const rows = Array.from({ length: 6 }, (_, index) => `0000${index + 1},77.${index + 10}`);
    assert.deepEqual(await written('product update --no-base', 'Code,SalesPrice', rows, 'ProductUpdate_V2'), [6]);
  });

  it('are new ones for lines, of which nobody could tell whether they were added', async () => {
    const rows = Array.from({ length: 3 }, () => '00000000-0020-4000-8000-000000000001,00001,1.50');
    const counts = await written('activity add-line', 'activityId,product,quantity', rows, 'ActivityAddProductLine');
    assert.deepEqual(counts, [1, 1, 1]);
  });
});
