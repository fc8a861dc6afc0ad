import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** The browser to drive: the first that is there. Undefined when there is none. Debian: apt-get install chromium. */
export const browserProgram = ['chromium', 'chromium-browser', 'google-chrome'].find(
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
export interface Page {
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
export interface Browser {
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
export function startBrowser(program: string): Browser {
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
