import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PvProductData_V2 } from '../../src/contract/records/product.js';
import { known } from '../../src/sandbox/dataset/known.js';
import { ends, program } from '../support/relctl.js';
import { needs } from '../support/skip.js';
import { openTerminal, type Terminal } from '../support/terminal.js';
import { callsIn, place } from '../support/operations/place.js';

const { productId } = known;
const columns = Object.keys(PvProductData_V2.fields);
const update = ['product', 'update', '00001'];

/** What lies between relctl and the service: passes calls on, and does as it is told before and after each. */
class Between {
  /** Operations in their order. */
  calls: string[] = [];
  /** Called before a call is passed on; false drops the connection. */
  before: (number: number) => boolean = () => true;
  /** Called with the answer to a call; gives what is passed back. */
  after: (number: number, answer: string) => string = (_, answer) => answer;
  readonly #service: string;
  readonly #server: Server;

  constructor(service: string) {
    this.#service = service;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => void this.#pass(request, Buffer.concat(chunks), response));
    });
  }

  async #pass(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const number = this.calls.push(/<(Product\w+)/.exec(body.toString())?.[1] ?? '');
    if (!this.before(number)) {
      request.socket.destroy();
      return;
    }
    const { 'content-type': type = '', soapaction } = request.headers;
    const headers = { 'content-type': type, ...(typeof soapaction === 'string' ? { soapaction } : {}) };
    const answer = await fetch(`${this.#service}${request.url ?? ''}`, { method: 'POST', body, headers });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(this.after(number, await answer.text()));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('product update', () => {
  const here = place();
  let wire: Between;
  let url = '';
  before(async () => {
    wire = new Between(here.url());
    url = await wire.listen();
  });
  after(() => wire.close());
  beforeEach(() => {
    wire.calls = [];
    wire.before = () => true;
    wire.after = (_, answer) => answer;
    set('SalesPrice', '12.50');
    set('Name', 'Bike');
  });
  const set = (name: string, text: string): void =>
    here.execute(`UPDATE "PvProductData_V2" SET "${name}" = '${text}' WHERE "Id" = '${productId}'`);
  const kept = (): Record<string, unknown> => {
    const names = columns.map((name) => `"${name}"`).join(', ');
    const [row = []] = here.rows(`SELECT ${names} FROM "PvProductData_V2" WHERE "Id" = ?`, productId);
    return Object.fromEntries(columns.map((name, at) => [name, row[at]]));
  };
  const run = (...args: readonly string[]): ReturnType<typeof here.run> =>
    here.run([...update, ...args], { env: { RELCTL_BASE_URL: url } });
  const read = 'ProductGetAll_V2';
  const write = 'ProductUpdate_V2';

  it('takes another spelling of a value for the same: nothing changes', async () => {
    await ends(run('--sales-price', '+12.500', '--yes'), 0, /Note: nothing changes in product 00001/);
    assert.deepEqual(wire.calls, [read]);
  });

  it('ends with 9, both values and the read that settles it, when it already exists than was sent', async () => {
    wire.before = (number) => {
      if (number === 3) set('SalesPrice', '99.00');
      return true;
    };
    const { stderr } = await ends(
      run('--sales-price', '13', '--yes', '--quiet'),
      9,
      /: the service accepted it, and product .* is not as sent: SalesPrice was sent as "13", is "99.00"$/m,
    );
    assert.match(stderr, /^ {2}Try: relctl product get 00001$/m);
  });

  it('ends with 0 and a warning when it cannot be read back', async () => {
    wire.before = (number) => number < 3;
    const { code, stderr } = await run('--sales-price', '13', '--yes', '--set', 'retries=0');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Note: relctl wrote the product, but could not read it back: /m);
    assert.equal(kept()['SalesPrice'], '13');
  });

  describe('that asks', () => {
    let terminal: Terminal | undefined;
    before(function () {
      needs(this, 'tmux');
    });
    afterEach(() => terminal?.close());

    /** Answers yes once something was done while the question stood; gives the screen and the exit code. */
    async function asked(meanwhile: () => void): Promise<{ screen: string; code: number }> {
      const told = here.fresh('code');
      const trace = here.fresh('trace');
      const line = `"$0" "$@"; echo $? > ${told}; echo over`;
      const args = [program, ...update, '--sales-price', '13', `--trace=${trace}`];
      terminal = openTerminal(['sh', '-c', line, process.execPath, ...args], here.env);
      await terminal.until(/1 field changes\. Really change\s+product 00001 Bike, with\s+profile 'local'\s+\(http:/);
      meanwhile();
      terminal.type('y');
      terminal.press('Enter');
      const screen = await terminal.until(/^over$/m);
      wire.calls.push(...callsIn(trace).map(({ operation }) => operation));
      return { screen, code: Number(readFileSync(told, 'utf8')) };
    }

    it('reads again after the answer, and refuses with 13 and the difference what somebody changed meanwhile', async () => {
      const { screen, code } = await asked(() => {
        set('SalesPrice', '14.75');
        set('Name', 'City bike');
      });
      const text = screen.replaceAll('\n', '');
      assert.equal(code, 13, screen);
      assert.match(text, /changed by somebody else: .*; nothing was sent/);
      assert.match(text, /Name *was "Bike", is "City bike"; SalesPrice *was "12\.50", is "14\.75"/);
      assert.match(screen, /Try: relctl product update 00001 --sales-price 13/);
      assert.deepEqual(wire.calls, [read, read]);
      assert.equal(kept()['SalesPrice'], '14.75');
    });

    it('does not mind another spelling, another product or another order', async () => {
      const [, second] = here.rows('SELECT "Id" FROM "PvProductData_V2" ORDER BY seq');
      const { screen, code } = await asked(() => {
        set('SalesPrice', '12.5');
        here.execute(`UPDATE "PvProductData_V2" SET "Name" = 'another' WHERE "Id" = '${String(second?.[0])}'`);
        here.execute(`UPDATE "PvProductData_V2" SET seq = 100000 WHERE "Id" = '${productId}'`);
      });
      assert.equal(code, 0, screen);
      assert.deepEqual(wire.calls, [read, read, write, read]);
      assert.equal(kept()['SalesPrice'], '13');
    });

    it('refuses to write a product that no longer exists', async () => {
      const before = here.rows('SELECT * FROM "PvProductData_V2" WHERE "Id" = ?', productId);
      const { screen, code } = await asked(() =>
        here.execute(
          `UPDATE "PvProductData_V2" SET "Id" = 'ffffffff-0060-4000-8000-00000000ffff' WHERE "Id" = '${productId}'`,
        ),
      );
      here.execute(
        `UPDATE "PvProductData_V2" SET "Id" = '${productId}' WHERE "Id" = 'ffffffff-0060-4000-8000-00000000ffff'`,
      );
      assert.equal(code, 13, screen);
      assert.match(screen.replaceAll('\n', ''), /was removed by somebody else; nothing was sent/);
      assert.deepEqual(here.rows('SELECT * FROM "PvProductData_V2" WHERE "Id" = ?', productId), before);
    });
  });
});
