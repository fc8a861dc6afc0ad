import type { WholeResponse } from '../../../soap/wire/response.js';
import type { Middleware } from '../../context.js';
import type { Random } from '../../dataset/random.js';
import type { Form, Rate } from './forms.js';
import texts from './texts.json' with { type: 'json' };
import { defined } from '../../../core/values/value.js';

/** A value or an argument of a fault. */
export interface Argument<T = unknown> {
  readonly form: Form<T>;
  readonly words: string;
  /** What is meant when it is left out; without this it must be given. */
  readonly preset?: string;
}

type Arguments = Readonly<Record<string, Argument>>;

type Meanings<A> = { readonly [K in keyof A]: A[K] extends Unworded<infer T> ? T : never };

/** Families of faults, in the order in which they are shown. */
export const families = {
  time: 'Time',
  connection: 'Connection',
  bytes: 'Bytes',
  http: 'HTTP',
  soap: 'SOAP and results',
  paging: 'Pages',
  content: 'Content',
} as const;

/** One kind of fault: the parser, the help, the documentation and the tests are made from it. */
export interface FaultKind {
  readonly name: string;
  readonly family: keyof typeof families;
  readonly words: string;
  /** The value after its `=`; without this the fault has no value. */
  readonly value?: Argument;
  readonly args: Arguments;
  /** A plan that works as it is written. */
  readonly example: string;
  /** Faults of one role cannot be used together within one plan. */
  readonly role?: 'answer' | 'cut';
  readonly compile: (value: unknown, args: Readonly<Record<string, unknown>>) => Effects;
}

type Unworded<T = unknown> = Omit<Argument<T>, 'words'>;

/** The definition of a kind of fault; its descriptions are in texts.json. */
interface FaultText<V, A> extends Pick<FaultKind, 'role'> {
  readonly value?: Unworded<V>;
  readonly args?: A;
  readonly effects: (value: V, args: Meanings<A>) => Effects;
}

/** Makes an argument; without a preset it must be given. */
export const argument = <T>(form: Form<T>, preset?: string): Unworded<T> => ({
  form,
  ...defined({ preset }),
});

interface Texts extends Pick<FaultKind, 'family' | 'words' | 'example'> {
  readonly value?: string;
  readonly args?: Readonly<Record<string, string>>;
}

type AnyArguments = Readonly<Record<string, Unworded>>;

/** Makes a kind of fault. */
export function faultKind<V = undefined, const A extends AnyArguments = AnyArguments>(
  name: keyof typeof texts,
  { effects, args, value, ...rest }: FaultText<V, A>,
): FaultKind {
  const { value: valueWords = '', args: argWords = {}, ...said } = texts[name] as Texts;
  const worded = Object.entries(args ?? {}).map(([arg, declared]) => [
    arg,
    { ...declared, words: argWords[arg] ?? '' },
  ]);
  return {
    name,
    ...rest,
    ...said,
    ...defined({ value: value && { ...value, words: valueWords } }),
    args: Object.fromEntries(worded) as Arguments,
    // Values come from the forms above by their names, so they have the forms' types; a table of kinds cannot say so.
    compile: (value, meanings) => effects(value as V, meanings as Meanings<A>),
  };
}

type FaultPoint = 'request' | 'before' | 'head' | 'amid' | 'after';

/** How a connection ends too early; `stall` leaves it open and sends nothing more. */
export interface Cut {
  readonly how: 'reset' | 'close' | 'stall';
  readonly point: FaultPoint;
}

/** What a fault does to one call. A random stream depends on the seed of the fault and the number of the call. */
export interface Effects {
  /** Delay of the answer, in milliseconds. */
  readonly waitMs?: (random: Random) => number;
  /** An answer instead of that of the service; the call is not executed. */
  readonly instead?: () => WholeResponse;
  readonly middleware?: (random: Random) => Middleware;
  /** Changes the status, headers or bytes of the answer. */
  readonly rewrite?: (answer: WholeResponse) => WholeResponse;
  readonly cut?: Cut;
  readonly drip?: Rate;
}
