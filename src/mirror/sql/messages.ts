import { RelctlError, type ErrorOptions, perhaps, usage } from '../../core/errors/relctl-error.js';
import type { Kind } from '../../core/errors/kinds.js';
import type { SqlValue, AnswerColumn } from '../../state/sqlite/open.js';
import type { QueryText } from '../../formats/query/tokens.js';
import { nearest } from '../../core/text/text.js';
import type { Statement } from './statement.js';

type ParameterValue = string | bigint | number | boolean | null;

/** Values of parameters by their names. */
export type Parameters = Readonly<Record<string, ParameterValue>>;

const flag = '--param';

const integer = /^[+-]?\d{1,19}$/;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const [smallest, largest] = [-(2n ** 63n), 2n ** 63n - 1n];

function integerOf(text: string): bigint | undefined {
  const value = integer.test(text) ? BigInt(text.replace('+', '')) : undefined;
  return value !== undefined && value >= smallest && value <= largest ? value : undefined;
}

/** Types of parameters: how a text is read, undefined for one that is none, and what a text has to be, in words. */
const types = new Map<string, readonly [read: (text: string) => ParameterValue | undefined, form: string]>([
  ['text', [(text) => text, 'a text']],
  ['int', [integerOf, 'a whole number of 64 bits']],
  [
    'real',
    [
      (text) => (number.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined),
      'a number such as 12.5',
    ],
  ],
  ['bool', [(text) => (text === 'true' ? true : text === 'false' ? false : undefined), 'true or false']],
  ['null', [(text) => (text === '' ? null : undefined), 'an empty value']],
]);

function parameterOf(argument: string): readonly [string, ParameterValue] {
  const parts = /^[:@$]?([\p{L}_][\p{L}\p{N}_]*)(?::([a-z]+))?=(.*)$/su.exec(argument);
  if (parts === null) throw usage(flag, `${flag} takes NAME=VALUE or NAME:TYPE=VALUE, not '${argument}'`);
  const [, name = '', type = 'text', text = ''] = parts;
  const [read, form = ''] = types.get(type) ?? [];
  if (read === undefined) {
    const near = nearest(type, [...types.keys()]);
    const suggestion = near && argument.replace(`:${type}=`, `:${near}=`);
    const words = `a parameter has no type '${type}'; the types are ${[...types.keys()].join(', ')}`;
    throw usage(flag, words, perhaps(argument, suggestion));
  }
  const value = read(text);
  if (value === undefined) throw usage(flag, `${flag} ${name}:${type} takes ${form}, not '${text}'`);
  return [name, value];
}

/**
 * The parameters that texts give, for a statement that has exactly these. Throws `usage` for one that is set twice, that
 * the statement does not have, or that is missing.
 */
export function parametersFor({ parameters }: Statement, texts: readonly string[]): Parameters {
  const values = new Map<string, ParameterValue>();
  for (const text of texts) {
    const [name, value] = parameterOf(text);
    if (values.has(name)) throw usage(flag, `${flag} ${name} is set twice`);
    if (!parameters.includes(name)) {
      const has = parameters.length === 0 ? 'no parameters' : `only ${parameters.map((each) => `:${each}`).join(', ')}`;
      const near = nearest(name, parameters);
      const instead = perhaps(text, near && text.replace(name, near));
      throw usage(flag, `the statement has no parameter :${name}; it has ${has}`, instead);
    }
    values.set(name, value);
  }
  const missing = parameters.find((name) => !values.has(name));
  if (missing !== undefined) {
    throw usage(flag, `the statement has the parameter :${missing}, and no ${flag} sets its value`, {
      advice: `Use ${flag} ${missing}=VALUE, or ${flag} ${missing}:int=5 for a number.`,
    });
  }
  return Object.fromEntries(values);
}

// What the program and the process that reads the file say to each other.

/** What to read. */
export interface Order {
  readonly file: string;
  readonly statement: QueryText;
  readonly parameters: Parameters;
}

/** An error on its way between processes. */
export interface SentError {
  readonly kind: Kind;
  readonly message: string;
  readonly options: ErrorOptions;
}

/** What a statement reads of a mirror, through its views: names of columns by the name of the table. */
export type Reads = ReadonlyMap<string, readonly string[]>;

/** What the reader says: first the columns, and what is read for them, then rows each time it is asked for more, and how it ended. */
export type ReaderMessage =
  | { readonly columns: readonly AnswerColumn[]; readonly reads: Reads }
  | { readonly rows: readonly (readonly SqlValue[])[] }
  | { readonly error: SentError }
  | { readonly end: true };

/** Asks for more rows. */
export interface More {
  readonly more: true;
}

/** An error as it is sent; its cause and stack stay where they are. */
export function sent(error: RelctlError): SentError {
  const { kind, message, facts, remedy, excerpt } = error;
  return { kind, message, options: { facts, ...remedy, excerpt } };
}

/** An error as it came. */
export const received = ({ kind, message, options }: SentError): RelctlError => new RelctlError(kind, message, options);
