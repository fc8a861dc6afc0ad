import type { EnumerationType, Field, Fields, ListType, Operation, RecordType, ScalarType, Type } from './build.js';

type ScalarValue<N> = N extends 'int' | 'short'
  ? number
  : N extends 'boolean'
    ? boolean
    : N extends 'anyType'
      ? unknown
      : string;

type Present<F extends Fields, P> = {
  [K in keyof F]: F[K] extends Field<Type, infer Q> ? (Q extends P ? K : never) : never;
}[keyof F];

/**
 * Value that one sends for a type. In a record, Req fields must be given, Nil fields may be null or left out (both go
 * out as nil), Opt fields may be left out and are never null.
 */
export type InputOf<T> =
  T extends ScalarType<infer N>
    ? ScalarValue<N>
    : T extends EnumerationType<infer V>
      ? V
      : T extends ListType<infer I>
        ? readonly InputOf<I>[]
        : T extends RecordType<infer F>
          ? InputFields<F>
          : never;

type InputFields<F extends Fields> = { readonly [K in Present<F, 'req'>]: InputOf<F[K]['type']> } & {
  readonly [K in Present<F, 'nil'>]?: InputOf<F[K]['type']> | null;
} & { readonly [K in Present<F, 'opt'>]?: InputOf<F[K]['type']> };

/** Value as received: anything may be absent or nil, because the wire may do so; an unknown enumeration value is kept. */
export type OutputOf<T> =
  T extends ScalarType<infer N>
    ? ScalarValue<N>
    : T extends EnumerationType<infer V>
      ? V | (string & {})
      : T extends ListType<infer I>
        ? readonly (OutputOf<I> | null)[]
        : T extends RecordType<infer F>
          ? OutputFields<F>
          : never;

/** Values for a set of fields, as received. */
export type OutputFields<F extends Fields> = { readonly [K in keyof F]?: OutputOf<F[K]['type']> | null };

/** Parameters of an operation, as sent (without credentials). */
export type Input<O extends Operation> = InputFields<O['parameters']>;

/** Members of an operation's result, as received (without the result envelope). */
export type Output<O extends Operation> = OutputFields<O['result']>;
