import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { home, relctl } from '../../support/relctl.js';
import { sandboxHere, type ServingSandbox } from '../../support/sandbox.js';
import { skip } from '../../support/skip.js';

/** The browser to drive: the first that is there. Undefined when there is none. Debian: apt-get install chromium. */
const browserProgram = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
);

/** What the other end of the pipe says: an answer to a command, or an event. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

type Waiting = { readonly take: (message: Message) => boolean; readonly done: (message: Message) => void };

/** The protocol of the developer tools over a pair of pipes: documents of JSON, each ended by a NUL. */
class Pipe {
  readonly #out: Writable;
  #waiting: readonly Waiting[] = [];
  #next = 0;

  constructor(out: Writable, input: Readable) {
    this.#out = out;
    let rest = '';
    input.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\0');
      rest = parts.pop() ?? '';
      // What comes is the protocol's, which has no types of ours.
      for (const part of parts) this.#heard(JSON.parse(part) as Message);
    });
  }

  /** The first message from now on that a caller takes. */
  next(take: (message: Message) => boolean): Promise<Message> {
    return new Promise((done) => (this.#waiting = [...this.#waiting, { take, done }]));
  }

  async send(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    sessionId?: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const id = (this.#next += 1);
    const answered = this.next((message) => message.id === id);
    this.#out.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
    const { error, result = {} } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  #heard(message: Message): void {
    const taker = this.#waiting.find(({ take }) => take(message));
    if (taker === undefined) return;
    this.#waiting = this.#waiting.filter((each) => each !== taker);
    taker.done(message);
  }
}

/** How a window looks. */
interface Look {
  readonly width: number;
  readonly scheme?: 'light' | 'dark';
}

/** A window of the browser. */
interface Page {
  /** Opens an address and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** Runs an expression in the page; gives what it is, as JSON. Scripts of the page itself do not run. */
  look<T>(expression: string): Promise<T>;
  /** Runs an expression that leads to another page, and waits until that is loaded. */
  follow(expression: string): Promise<void>;
  /** Changes width and colours. */
  dress(look: Look): Promise<void>;
  /** Writes a picture of the whole page. */
  picture(file: string): Promise<void>;
}

/** A browser that runs. */
interface Browser {
  page(): Promise<Page>;
  close(): Promise<void>;
}

async function pageOf(pipe: Pipe, sessionId: string): Promise<Page> {
  const send = (method: string, params: Readonly<Record<string, unknown>> = {}): ReturnType<Pipe['send']> =>
    pipe.send(method, params, sessionId);
  const loaded = (): Promise<Message> =>
    pipe.next((message) => message.sessionId === sessionId && message.method === 'Page.loadEventFired');
  const look = async <T>(expression: string): Promise<T> => {
    const answer = await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (answer['exceptionDetails'] !== undefined) throw new Error(JSON.stringify(answer['exceptionDetails']));
    // The caller says what its own expression gives.
    return (answer['result'] as { readonly value: T }).value;
  };
  await send('Page.enable');
  // The pages must do without; what is evaluated from here runs all the same.
  await send('Emulation.setScriptExecutionDisabled', { value: true });
  return {
    look,
    open: async (url) => {
      const done = loaded();
      const { errorText } = await send('Page.navigate', { url });
      if (typeof errorText === 'string') throw new Error(`${url}: ${errorText}`);
      await done;
    },
    follow: async (expression) => {
      const done = loaded();
      await look(`void (${expression})`);
      await done;
    },
    dress: async ({ width, scheme = 'light' }) => {
      await send('Emulation.setDeviceMetricsOverride', {
        width,
        height: 800,
        deviceScaleFactor: 1,
        mobile: width < 500,
      });
      await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    },
    picture: async (file) => {
      const { data } = await send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true });
      writeFileSync(file, Buffer.from(String(data), 'base64'));
    },
  };
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => void child.once('close', () => resolve()));

/** Starts a browser without a window, in a folder of its own. */
function startBrowser(program: string): Browser {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-browser-'));
  const settings = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const child = spawn(program, [...settings, `--user-data-dir=${folder}`, '--remote-debugging-pipe', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: folder },
  });
  const closed = ended(child);
  const [, , , out, input] = child.stdio;
  // The two pipes asked for above; Node's types do not say which way each of them goes.
  const pipe = new Pipe(out as Writable, input as Readable);
  return {
    page: async () => {
      const { targetId } = await pipe.send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await pipe.send('Target.attachToTarget', { targetId, flatten: true });
      return pageOf(pipe, String(sessionId));
    },
    close: async () => {
      // Its own processes outlive a kill, and go on writing into the folder.
      void pipe.send('Browser.close');
      await closed;
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

const onlyLocal = 'The test form is only available for requests from the local machine.';
const press = "document.querySelector('.actions button[name=invoke]').click()";
const answer = "document.querySelector('#result').textContent";
const words = 'document.body.innerText';
const type = (name: string, text: string): string =>
  `document.querySelector('[name="${name}"]').value = ${JSON.stringify(text)}`;

/** A web site of somebody else, at another port of this machine: it shows one page. */
async function foreignSite(page: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

describe('The pages of sandbox start, in a browser without scripts', function () {
  const place = home();
  let running: ServingSandbox | undefined;
  let browser: Browser | undefined;
  let page: Page;
  let address: string;
  before(async function () {
    if (browserProgram === undefined) skip(this, 'no chromium is installed (Debian: chromium)');
    running = await sandboxHere(place.env, ['--relations', '40']);
    browser = startBrowser(browserProgram);
    page = await browser.page();
    address = `${running.url}/V1/service.asmx`;
  });
  after(async () => {
    await browser?.close();
    await running?.stop();
    place.remove();
  });

  it('invoke NotificationGetCount, prefilled for the user of the sandbox, and show what relctl counts', async () => {
    await page.open(`${address}?op=NotificationGetCount`);
    await page.follow(press);
    const counted = await relctl(['notification', 'count', '-p', 'sandbox', '-o', 'json'], { env: place.env });
    const { NumberOfNotifications } = JSON.parse(counted.stdout) as { readonly NumberOfNotifications: number };
    assert.ok(NumberOfNotifications > 0);
    const shown = await page.look<string>(answer);
    assert.ok(shown.includes(`<NumberOfNotifications>${NumberOfNotifications}</NumberOfNotifications>`), shown);
    assert.ok(shown.includes('<Succeeded>true</Succeeded>'));
  });

  it('invoke RelationGetAll in SOAP 1.2 with what was typed and chosen, and offer the form again as it was', async () => {
    await page.open(`${address}?op=RelationGetAll`);
    for (const [name, text] of Object.entries({
      pageNumber: '2',
      pageSize: '3',
      includeFields: 'true',
      version: '1.2',
    })) {
      await page.look(type(name, text));
    }
    await page.follow(press);
    const shown = await page.look<string>(answer);
    const listed = await relctl(['relation', 'list', '-p', 'sandbox', '-o', 'json', '-q', '--limit', '6'], {
      env: place.env,
    });
    const relations = JSON.parse(listed.stdout) as readonly { readonly Id: string }[];
    assert.deepEqual(
      [...shown.matchAll(/<PvRelationData>\s*<Id>([^<]*)</g)].map(([, id]) => id),
      relations.slice(3).map(({ Id }) => Id),
    );
    assert.ok(shown.includes('http://www.w3.org/2003/05/soap-envelope'));
    assert.ok(shown.includes('<PvFieldValueData>'));
    assert.equal(await page.look("document.querySelector('[name=pageSize]').value"), '3');
    assert.equal(await page.look("document.querySelector('[name=version]').value"), '1.2');
  });

  it('are as wide as the window, narrow or not, dark or light', async () => {
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    const colours = 'getComputedStyle(document.body).backgroundColor';
    for (const width of [390, 1200]) {
      await page.dress({ width });
      for (const query of ['', '?op=ActivitySearchByFieldInPeriodExact', '?op=ProductUpdate_V2', '?op=Nothing']) {
        await page.open(`${address}${query}`);
        assert.equal(await page.look(overflow), 0, `${query} at ${width}`);
      }
    }
    const light = await page.look(colours);
    await page.dress({ width: 1200, scheme: 'dark' });
    assert.notEqual(await page.look(colours), light);
    await page.dress({ width: 1200 });
  });

  it('cannot be used by a page of another origin: its form is refused, token or not, and nothing is written', async () => {
    await page.open(`${address}?op=DatastoreCreateItem_V3`);
    // Everything that our own form would send, as if somebody had got hold of it.
    const fields = await page.look<readonly (readonly [string, string])[]>(
      "[...new FormData(document.querySelector('form'))].map(([name, text]) => [name, String(text)])",
    );
    const inputs = fields.map(([name, text]) => `<input type="hidden" name="${name}" value="${text}">`).join('');
    const action = `${address}/DatastoreCreateItem_V3`;
    const items = async (): Promise<string> => {
      const args = ['datastore', 'items', '00000000-0040-4000-8000-000000000021', '-p', 'sandbox', '-o', 'json'];
      return (await relctl(args, { env: place.env })).stdout;
    };
    const before = await items();
    const site = await foreignSite(
      `<form method="post" action="${action}">${inputs}<input type="hidden" name="invoke" value="x"></form>` +
        `<a href="${address}?op=MarkGetAll">look</a>`,
    );
    try {
      await page.open(site.url);
      await page.follow("document.querySelector('form').submit()");
      assert.equal(await page.look('location.href'), action);
      assert.match(await page.look<string>(words), /The sandbox does not answer other origins\./);
      assert.equal(await items(), before);

      await page.open(site.url);
      await page.follow("document.querySelector('a').click()");
      assert.equal(await page.look("document.querySelector('h1').textContent"), 'MarkGetAll');
      // A link from elsewhere on this machine: the page opens, the form stays away.
      assert.equal(await page.look("document.querySelectorAll('form').length"), 0);
      assert.ok((await page.look<string>(words)).includes(onlyLocal));
    } finally {
      site.close();
    }

    await page.open(`${address}?op=DatastoreCreateItem_V3`);
    await page.follow(press);
    assert.match(await page.look<string>(answer), /<DatastoreItem>/);
    assert.notEqual(await items(), before);
  });
});
