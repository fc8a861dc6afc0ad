import {
  brokenServer,
  httpAnswer,
  type BrokenServer,
  answers,
  type AnswerText,
  type Reaction,
  type SeenRequest,
} from './broken-server.js';
import { home, relctl, type Home, type Run, type RunOptions } from './relctl.js';
import { envelope, namespace } from './soap-answers.js';

/** What a call asks for. */
export interface Asked {
  readonly operation: string;
  /** 0 for an operation without pages. */
  readonly page: number;
  /** Rows of a page; 0 for an operation without pages. */
  readonly size: number;
}

/** Content of the result of a call; undefined for HTTP 500. */
type ResultOf = (asked: Asked) => string | undefined;

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
  const number = (name: string): number => Number(new RegExp(`<${name}>(\\d+)<`).exec(body)?.[1] ?? 0);
  return { operation, page: number('pageNumber'), size: number('pageSize') };
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

/** What a program that called a service gave, and what the service saw. */
export interface Called extends Run {
  readonly requests: readonly SeenRequest[];
  /** The error object of a run with -o json. */
  readonly error: () => Record<string, unknown>;
}

/** Options of a run. */
interface CalledOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** The answer of an operation with this content of its result element, or with this in the place of that. */
export const answerOf = (
  operation: string,
  content: string | { readonly instead: string },
): AnswerText & { body: string } =>
  envelope(
    '1.2',
    `<${operation}Response xmlns="${namespace}">${typeof content === 'string' ? `<${operation}Result>${content}</${operation}Result>` : content.instead}</${operation}Response>`,
  );

/** Runs the program by its environment alone against a service that always answers so. */
export async function called(
  answer: AnswerText | Reaction,
  args: readonly string[],
  { env = {}, input }: CalledOptions = {},
): Promise<Called> {
  const server = await brokenServer({ answer: typeof answer === 'function' ? answer : answers(answer) });
  const own = home();
  try {
    const settings = {
      RELCTL_BASE_URL: server.url,
      RELCTL_NAMESPACE: namespace,
      RELCTL_API_KEY: '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34',
      RELCTL_RETRIES: '0',
    };
    const run = await relctl(args, {
      env: { ...own.env, ...settings, ...env },
      ...(input === undefined ? {} : { input }),
    });
    const error = (): Record<string, unknown> => (JSON.parse(run.stderr) as { error: Record<string, unknown> }).error;
    return { ...run, requests: server.requests, error };
  } finally {
    await server.close();
    own.remove();
  }
}
