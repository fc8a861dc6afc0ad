import type { Effects } from './effects.js';
import type { Form } from './forms.js';

/** A value or an argument of a fault. */
export interface Argument<T = unknown> {
  readonly form: Form<T>;
  readonly words: string;
  /** What is meant when it is left out; without this it must be given. */
  readonly preset?: string;
}

/** Arguments by name. */
export type Arguments = Readonly<Record<string, Argument>>;

/** The meanings of arguments, by their names. */
export type Meanings<A> = { readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never };

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

/** One kind of fault: everything that the parser, the help, the documentation and the tests know of it. */
export interface FaultKind {
  readonly name: string;
  readonly family: keyof typeof families;
  /** What it does, in a sentence. */
  readonly words: string;
  /** What stands behind its `=`; without this it has no value. */
  readonly value?: Argument;
  readonly args: Arguments;
  /** A plan that works as it is written. */
  readonly example: string;
  /** Faults of one role exclude each other within one plan. */
  readonly role?: 'answer' | 'cut';
  /** The effects of values that were read by their forms. */
  readonly compile: (value: unknown, args: Readonly<Record<string, unknown>>) => Effects;
}

/** What one writes to describe a kind of fault. */
export interface FaultText<V, A extends Arguments> extends Omit<FaultKind, 'value' | 'args' | 'compile'> {
  readonly value?: Argument<V>;
  readonly args?: A;
  readonly effects: (value: V, args: Meanings<A>) => Effects;
}

/** An argument that must be given, or has a preset. */
export const argument = <T>(form: Form<T>, words: string, preset?: string): Argument<T> => ({
  form,
  words,
  ...(preset === undefined ? {} : { preset }),
});

/** Makes a kind of fault. */
export function faultKind<V = undefined, const A extends Arguments = Arguments>(
  description: FaultText<V, A>,
): FaultKind {
  const { effects, args, value, ...rest } = description;
  return {
    ...rest,
    ...(value === undefined ? {} : { value }),
    args: args ?? {},
    // Values come from the forms above by their names, so they have the forms' types; a table of kinds cannot say so.
    compile: (given, meanings) => effects(given as V, meanings as Meanings<A>),
  };
}
