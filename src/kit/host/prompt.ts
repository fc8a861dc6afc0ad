import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { escapeForTerminal } from '../../formats/escape.js';
import { displayWidth, wrapWords } from '../../formats/layout/width.js';
import type { PromptStream } from '../../formats/streams.js';
import { keyboard, whenStdinPauses } from './environment.js';

/** One question, with a line before it that says what it is about. */
export type Question = { readonly explain?: string } & (
  | {
      readonly kind: 'text';
      readonly name: string;
      readonly message: string;
      readonly initial?: string;
      readonly check?: CheckAnswer;
    }
  | { readonly kind: 'secret'; readonly name: string; readonly message: string; readonly check?: CheckAnswer }
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
      /** Longest text that `find` takes, in characters. */
      readonly most: number;
      /** What the typed text finds; asked when keys have come. What it throws is shown in the place of choices. */
      readonly find: (typed: string) => readonly Choice[];
    }
);

/** A choice of a search. */
export interface Choice {
  readonly value: string;
  readonly line: string;
}

type CheckAnswer = (answer: string) => true | string;

function errorForTerminal(thrown: unknown): RelctlError {
  const error = RelctlError.from(thrown);
  return error.but({ message: escapeForTerminal(error.message) });
}

const searchSource =
  (find: (typed: string) => readonly Choice[], onTyped: (typed: string) => void) =>
  async (
    typed = '',
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly { readonly value: string; readonly name: string }[]> => {
    onTyped(typed);
    // Keys that came at once: only what all of them are is looked for.
    await nextTurn();
    if (signal?.aborted === true) return [];
    try {
      const matches = find(typed);
      return matches.map(({ value, line }) => ({ value, name: escapeForTerminal(line) }));
    } catch (thrown) {
      throw errorForTerminal(thrown);
    }
  };

/** Columns for what inquirer puts around a message: its mark before it, and the answer behind it. */
const markAndAnswer = 12;

/** The line in as many as it takes, so that inquirer has to break none. */
function brokenAt(room: number, line: string): string {
  if (room <= 0 || displayWidth(line) <= room) return line;
  const lines = wrapWords(line, room, '');
  // Behind a word that is longer than a line there may be no room for the answer.
  const isFull = displayWidth(lines.at(-1) ?? '') > room;
  return [...lines, ...(isFull ? [''] : [])].join('\n');
}

/**
 * A question as inquirer takes it. What is asked may quote the service, and must not act on the terminal. Lines are broken
 * between words here: inquirer breaks them within words.
 * @param width columns of the terminal; undefined where they are not known
 * @param onTyped receives what is typed into a search, at each key
 */
export function toInquirer(
  question: Question,
  width?: number,
  onTyped: (typed: string) => void = () => undefined,
): Readonly<Record<string, unknown>> {
  const { name } = question;
  const line = escapeForTerminal(question.message);
  const message = width === undefined ? line : brokenAt(width - markAndAnswer, line);
  switch (question.kind) {
    case 'text':
      return { type: 'input', name, message, default: question.initial, validate: question.check };
    case 'secret':
      return { type: 'password', mask: '*', name, message, validate: question.check };
    case 'choice':
      return { type: 'select', name, message, choices: question.choices, default: question.initial };
    case 'search':
      return { type: 'search', name, message, source: searchSource(question.find, onTyped) };
    case 'yes-no':
      return { type: 'confirm', name, message, default: question.initial ?? false };
  }
}

type KeySource = Readable & {
  readonly isRaw?: boolean;
  setRawMode?(mode: boolean): unknown;
};

/** Keys without text, such as an arrow or Ctrl-C, each by itself, and text between them. */
const pieces = (): RegExp => /\u001b(?:\[[\d;]*[@-~]|O[@-~])?|[^\p{Cc}]+|\p{Cc}/gu;
const withoutText = (): RegExp => /^\p{Cc}/u;
const halfAtEnd = /[\ud800-\udbff]$/;

/**
 * The keys of a terminal without text for which a prompt has no room: it draws itself and asks anew at each key, and somebody may
 * paste a whole file.
 */
export class BoundedKeys extends Transform {
  readonly isTTY = true;
  /** Characters that the prompt still takes. */
  room: number;
  readonly #source: KeySource;
  readonly #decoder = new StringDecoder('utf8');

  constructor(source: KeySource, room: number) {
    super();
    this.room = room;
    this.#source = source;
    // Who waits for the end of a prompt sees it at the terminal.
    this.on('pause', () => source.unpipe(this).pause());
    this.on('resume', () => source.pipe(this));
  }

  get isRaw(): boolean {
    return this.#source.isRaw ?? false;
  }

  setRawMode(mode: boolean): this {
    this.#source.setRawMode?.(mode);
    return this;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#give(this.#decoder.write(chunk)).then(() => done(), done);
  }

  async #give(text: string): Promise<void> {
    for (const [piece] of text.matchAll(pieces())) {
      const fitting = withoutText().test(piece) ? piece : piece.slice(0, this.room).replace(halfAtEnd, '');
      if (fitting !== '') this.push(fitting);
      // The prompt says how much room it has left: a key may have removed what was typed before.
      await nextTurn();
    }
  }
}

const isPromptAborted = (thrown: unknown): boolean =>
  thrown instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(thrown.name);

/**
 * Does work that asks. Ctrl-D, and the end of the input, close what reads the keys without a word to who waits for an
 * answer, and the process would end as if all were well: the signal says then that there will be none.
 */
async function watched<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  // An answer pauses the input too, and is there first.
  const stop = whenStdinPauses(() => void setImmediate(() => controller.abort()));
  try {
    return await work(controller.signal);
  } finally {
    stop();
  }
}

function keysFor(question: Question): { readonly input?: BoundedKeys; readonly onTyped?: (typed: string) => void } {
  if (question.kind !== 'search') return {};
  // One more than it takes, so that it can say that there are too many.
  const most = question.most + 1;
  const input = new BoundedKeys(keyboard(), most);
  return { input, onTyped: ({ length }) => (input.room = most - length) };
}

/**
 * Asks in the terminal, on stderr, so that stdout holds data only. Ctrl-C and Ctrl-D become an `interrupted` error.
 * Callers make sure first that prompting is allowed.
 */
export async function ask(
  questions: readonly Question[],
  output: PromptStream,
): Promise<Record<string, string | boolean>> {
  const { default: inquirer } = await import('inquirer');
  const answers: Record<string, string | boolean> = {};
  try {
    for (const question of questions) {
      if (question.explain !== undefined) output.write(`${escapeForTerminal(question.explain)}\n`);
      const { onTyped, ...keys } = keysFor(question);
      // Asked one by one: inquirer's types for a list of mixed questions cannot be met by data.
      const prompts = [toInquirer(question, output.columns, onTyped)] as never;
      const answer = await watched((signal) => inquirer.createPromptModule({ output, signal, ...keys })(prompts));
      Object.assign(answers, answer);
    }
  } catch (thrown) {
    if (isPromptAborted(thrown)) {
      throw new RelctlError('interrupted', 'interrupted at a question; nothing was changed', {
        facts: { foreignCode: 'SIGINT' },
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

/**
 * Asks for a text that has to be typed as it is, until it is: a yes that nobody gives by habit. Callers make sure first that
 * prompting is allowed. Throws `interrupted`.
 */
export async function confirmTyped(
  { streams }: { readonly streams: { readonly prompt: PromptStream } },
  { message, typed }: { readonly message: string; readonly typed: string },
): Promise<void> {
  const check = (answer: string): true | string =>
    answer.trim() === typed || `Type ${escapeForTerminal(typed)} exactly, or press Ctrl-C to send nothing.`;
  await ask([{ kind: 'text', name: 'typed', message, check }], streams.prompt);
}
