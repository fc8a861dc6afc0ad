import { RelctlError } from '../errors/relctl-error.js';
import { escapeForTerminal } from '../output/escape.js';
import type { PromptStream } from '../output/streams.js';

/** One question, with a line before it that says what it is about. */
export type Question = { readonly explain?: string } & (
  | {
      readonly kind: 'text';
      readonly name: string;
      readonly message: string;
      readonly initial?: string;
      readonly check?: Check;
    }
  | { readonly kind: 'secret'; readonly name: string; readonly message: string; readonly check?: Check }
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly message: string;
      readonly choices: readonly string[];
      readonly initial?: string;
    }
  | { readonly kind: 'yes-no'; readonly name: string; readonly message: string; readonly initial?: boolean }
  | {
      readonly kind: 'search';
      readonly name: string;
      readonly message: string;
      /** What the typed text finds; asked at each key. What it throws is shown in the place of choices. */
      readonly find: (typed: string) => Promise<readonly Choice[]>;
    }
);

/** A choice of a search. */
export interface Choice {
  readonly value: string;
  /** What is shown of it, on one line. */
  readonly line: string;
}

/** True when an answer will do, otherwise what is wrong with it. */
type Check = (answer: string) => true | string;

/** What a search throws, as inquirer may show it: it may quote a mirror that somebody else made. */
function neutralised(thrown: unknown): RelctlError {
  const error = RelctlError.from(thrown);
  return error.but({ message: escapeForTerminal(error.message) });
}

/** What a search finds, as inquirer takes it. What was found comes from the service. */
const shown =
  (find: (typed: string) => Promise<readonly Choice[]>) =>
  async (typed: string | undefined): Promise<readonly { readonly value: string; readonly name: string }[]> => {
    try {
      const found = await find(typed ?? '');
      return found.map(({ value, line }) => ({ value, name: escapeForTerminal(line) }));
    } catch (thrown) {
      throw neutralised(thrown);
    }
  };

/** A question as inquirer takes it. What is asked may quote the service, and must not act on the terminal. */
export function toInquirer(question: Question): Readonly<Record<string, unknown>> {
  const { name } = question;
  const message = escapeForTerminal(question.message);
  switch (question.kind) {
    case 'text':
      return { type: 'input', name, message, default: question.initial, validate: question.check };
    case 'secret':
      return { type: 'password', mask: '*', name, message, validate: question.check };
    case 'choice':
      return { type: 'select', name, message, choices: question.choices, default: question.initial };
    case 'search':
      return { type: 'search', name, message, source: shown(question.find) };
    case 'yes-no':
      return { type: 'confirm', name, message, default: question.initial ?? false };
  }
}

/**
 * Asks in the terminal, on stderr, so that stdout holds data only. Ctrl-C becomes an `interrupted` error.
 * Callers make sure first that prompting is allowed.
 */
export async function ask(
  questions: readonly Question[],
  output: PromptStream,
): Promise<Record<string, string | boolean>> {
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ output });
  const answers: Record<string, string | boolean> = {};
  try {
    for (const question of questions) {
      if (question.explain !== undefined) output.write(`${escapeForTerminal(question.explain)}\n`);
      // Asked one by one: inquirer's types for a list of mixed questions cannot be met by data.
      const answer = (await prompt([toInquirer(question)] as never)) as Record<string, string | boolean>;
      Object.assign(answers, answer);
    }
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'ExitPromptError') {
      throw new RelctlError('interrupted', 'interrupted at a question; nothing was changed', {
        facts: { code: 'SIGINT' },
      });
    }
    throw thrown;
  }
  return answers;
}

/** Asks for a yes. Callers make sure first that prompting is allowed. Throws `interrupted`. */
export async function confirm(
  { streams }: { readonly streams: { readonly prompt: PromptStream } },
  message: string,
  { initial = false }: { readonly initial?: boolean } = {},
): Promise<boolean> {
  const answers = await ask([{ kind: 'yes-no', name: 'isSure', message, initial }], streams.prompt);
  return answers['isSure'] === true;
}
