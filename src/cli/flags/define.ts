import type { Interfaces } from '@oclif/core';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { RelctlError } from '../../errors/relctl-error.js';
import type { RecordKind } from '../../mirror/names/kinds.js';
import type { NameKind } from '../../profiles/names.js';

/** Reads the text of a flag or an argument. Throws `usage` with the name of it: `--limit`, `ID`. */
export type Reader<T> = (text: string, name: string) => T;

/** Values of flags as the parser gives them, by their definitions. */
export type Values<F> = F extends Interfaces.FlagInput<infer V> ? Readonly<V> : never;

/**
 * Stands in the place of a value that its reader refused, until the whole command line was parsed: oclif writes words of its
 * own into the message of what a parse throws, and what is missing comes before what is wrong.
 */
class RefusedValue {
  readonly refusal: RelctlError;

  constructor(thrown: unknown) {
    this.refusal = RelctlError.from(thrown);
  }
}

function read<T>(reader: Reader<T>, text: string, name: string): Promise<T> {
  try {
    return Promise.resolve(reader(text, name));
  } catch (thrown) {
    return Promise.resolve(new RefusedValue(thrown) as never);
  }
}

/** Throws the `usage` of the first value that was refused: of arguments, then of flags. */
export function checkValues(...parsed: readonly object[]): void {
  for (const value of parsed.flatMap((each) => Object.values(each) as readonly unknown[]).flat())
    if (value instanceof RefusedValue) throw value.refusal;
}

/** What the text of an option is, where it is more than a value: a job file may write it otherwise, or must. */
type Form = 'names' | 'pairs' | 'input-file' | 'output-file';

/** What a shell offers for a value: these words, or what is looked for when it asks. */
export type Offers =
  | readonly string[]
  | 'bookmarks'
  | 'columns'
  | 'column-words'
  | 'fields'
  | 'aliases'
  | 'files'
  | 'folders'
  | 'names'
  | 'operations'
  | 'parameters'
  | 'places'
  | 'profiles'
  | 'zones'
  | ((typed: string) => OfferedWords);

/** Words that may stand for a value, of which a part is typed already. */
export interface OfferedWords {
  /** The part of the typed text that stays, with which no word begins. */
  readonly kept: string;
  readonly words: readonly string[];
}

/** Kinds of records whose names may stand for their ids: those that a profile names, and those that a mirror has. */
export type IdKind = NameKind | RecordKind;

/** What help says of an option, its form, and what a shell offers for it. */
type Words = Partial<
  Pick<Interfaces.OptionFlag<string>, 'char' | 'summary' | 'env' | 'helpGroup' | 'helpValue' | 'hidden'>
> & {
  readonly form?: Form;
  /** Kind of the records whose id it holds, where a profile or a mirror may know their names: these stand for the ids. */
  readonly idOf?: IdKind;
  readonly offers?: Offers;
};

/** How the text of an option, or of an argument, is read, for a caller that has a text but no command line, such as a job file. */
export interface OptionFacts {
  readonly reader?: Reader<unknown>;
  readonly form?: Form;
  readonly idOf?: IdKind;
  readonly offers?: Offers;
}

/** Makes options of one kind, each with words of its own. */
export type OptionKind<T> = ReturnType<typeof Flags.custom<T>>;

/**
 * A kind of options: their text is checked, and becomes their value, while the command line is parsed.
 * @param words the usual ones of the kind
 */
export function option<T>(reader: Reader<T>, words: Words = {}): OptionKind<T> {
  const parse = (text: string, _context: unknown, { name }: { readonly name: string }): Promise<T> =>
    read(reader, text, `--${name}`);
  const make = Flags.custom<T>();
  // The same as `make`, whose overloads do not see through a type that is not known yet.
  return ((own: object = {}) => make({ ...words, parse, reader, ...own } as never)) as OptionKind<T>;
}

const neutralNames = new Set<string>();

/**
 * Declares flags that do not change the bytes of an export, or whose values its fingerprint holds in another way. For any
 * other flag, --resume refuses an export that was begun with another value of it.
 */
export function neutral<F extends object>(flags: F): F {
  for (const name of Object.keys(flags)) neutralNames.add(name);
  return flags;
}

/** The flags that were given and are not neutral, as one text; empty when there are none. */
export function tellingFlags(flags: Readonly<Record<string, unknown>>): string {
  const found = Object.entries(flags).filter(
    ([name, value]) => value !== undefined && value !== false && !neutralNames.has(name),
  );
  return found.length === 0 ? '' : JSON.stringify(Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** A switch: off unless it is given. */
export const switchFlag = (words: Partial<Interfaces.BooleanFlag<boolean>>): Interfaces.BooleanFlag<boolean> =>
  Flags.boolean({ default: false, ...words });

/** A kind of arguments, checked as options are. */
export function argument<T>(
  reader: Reader<T>,
  facts: Pick<OptionFacts, 'idOf' | 'offers'> = {},
): ReturnType<typeof Args.custom<T>> {
  const parse = (text: string, _context: unknown, { name }: { readonly name: string }): Promise<T> =>
    read(reader, text, name.toUpperCase());
  const make = Args.custom<T>({ parse });
  // The same as `make`, whose overloads do not see through a type that is not known yet.
  return ((own: object = {}) => make({ ...facts, reader, ...own } as never)) as ReturnType<typeof Args.custom<T>>;
}
