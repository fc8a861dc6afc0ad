import { brokenServer, httpAnswer, type BrokenServer } from './broken-server.js';
import { home, relctl, type Home, type Run, type RunOptions } from './relctl.js';
import { envelope, namespace } from './soap-answers.js';

/** What a call asks for. */
export interface Asked {
  readonly operation: string;
  /** 0 for an operation without pages. */
  readonly page: number;
}

/** Content of the result of a call; undefined for HTTP 500. */
export type ResultOf = (asked: Asked) => string | undefined;

/** A service whose results a test writes itself, and the program with a profile for it. */
export interface ResultService {
  readonly server: BrokenServer;
  readonly place: Home;
  readonly env: NodeJS.ProcessEnv;
  /** Runs the program with the profile `there`. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  close(): Promise<void>;
}

function asked(body: string): Asked {
  const [, operation = ''] = new RegExp(`<([A-Za-z_0-9]+) xmlns="${namespace}"`).exec(body) ?? [];
  return { operation, page: Number(/<pageNumber>(\d+)</.exec(body)?.[1] ?? 0) };
}

/** Starts a service that answers with these results, in SOAP 1.2, and adds the profile `there` for it. */
export async function resultService(resultOf: ResultOf): Promise<ResultService> {
  const server = await brokenServer({
    answer(socket, { body }) {
      const call = asked(body.toString('utf8'));
      const content = resultOf(call);
      const { operation } = call;
      const result = `<${operation}Response xmlns="${namespace}"><${operation}Result>${content ?? ''}</${operation}Result></${operation}Response>`;
      socket.write(httpAnswer(content === undefined ? { status: 500 } : envelope('1.2', result)));
    },
  });
  const place = home();
  const env = { ...place.env, RELCTL_RETRIES: '0' };
  const key = '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34';
  const settings = ['--base-url', server.url, '--namespace', namespace, '--user-id', key, '--api-key-stdin'];
  await relctl(['profile', 'add', 'there', ...settings], { env, input: `${key}\n` });
  return {
    server,
    place,
    env,
    run: (args, options) => relctl([...args, '-p', 'there'], { env, ...options }),
    async close() {
      await server.close();
      place.remove();
    },
  };
}
