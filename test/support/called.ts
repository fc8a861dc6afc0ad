import { answers, brokenServer, type AnswerText, type Reaction, type SeenRequest } from './broken-server.js';
import { home, relctl, type Run } from './relctl.js';
import { envelope, namespace } from './soap-answers.js';

/** What a program that called a service gave, and what the service saw. */
export interface Called extends Run {
  readonly requests: readonly SeenRequest[];
  /** The error object of a run with -o json. */
  readonly error: () => Record<string, unknown>;
}

/** Options of a run. */
export interface CalledOptions {
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
