import type { Interfaces } from '@oclif/core';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { EnumerationType } from '../../contract/build.js';
import type { AllowedValues } from '../../contract/widen.js';
import type { RecordKind } from '../../contract/lists.js';
import type { NameKind } from '../../profiles/names.js';
import type { Bounds } from './readers.js';

/**
 * Reads the text of a flag or an argument. Throws `usage` with the name of it: `--limit`, `ID`.
 * @param allowed values that enumerations have at the service of the profile besides those of the contract
 */
export type Reader<T> = (text: string, name: string, allowed?: AllowedValues) => T;

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

/** A command that knows what the profile of its command line allows. */
export interface Allowing {
  readonly allowedValues: () => Promise<AllowedValues | undefined>;
}

/** Reads a text; one that is refused once more with what the profile allows, by a reader that asks for it. */
async function read<T>(
  reader: Reader<T>,
  text: string,
  { name, command }: { readonly name: string; readonly command: unknown },
): Promise<T> {
  try {
    return reader(text, name);
  } catch (thrown) {
    // oclif gives the command that it parses for; its types do not say so.
    const parsing = command as Partial<Allowing> | undefined;
    const allowed = reader.length < 3 ? undefined : await parsing?.allowedValues?.();
    if (allowed === undefined) return new RefusedValue(thrown) as never;
    try {
      return reader(text, name, allowed);
    } catch (again) {
      return new RefusedValue(again) as never;
    }
  }
}

/** Throws the `usage` of the first value that was refused: of arguments, then of flags. */
export function checkValues(...parsed: readonly object[]): void {
  for (const value of parsed.flatMap((each) => Object.values(each) as readonly unknown[]).flat())
    if (value instanceof RefusedValue) throw value.refusal;
}

/** Throws `usage` when a flag was given together with others that it leaves no room for. */
export function refuseWith(flag: string, others: Readonly<Record<string, unknown>>): void {
  const match = Object.entries(others).find(([, value]) => value !== undefined && value !== false);
  if (match === undefined) return;
  throw usage(match[0], `${flag} and ${match[0]} cannot be used together`);
}

/** What the text of an option is, where it is more than a value: a job file may write it otherwise, or must. */
type Form = 'names' | 'pairs' | 'settings' | 'input-file' | 'output-file';

/** What a shell offers for a value: these words, or what is looked for when it asks. */
export type Offers =
  | readonly string[]
  | 'bookmarks'
  | 'columns'
  | 'column-words'
  | 'fields'
  | 'added-kinds'
  | 'field-names'
  | 'files'
  | 'folders'
  | 'lists'
  | 'names'
  | 'operations'
  | 'page-parameters'
  | 'parameters'
  | 'places'
  | 'profiles'
  | 'sources'
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

type OptionWords = Partial<
  Pick<Interfaces.OptionFlag<string>, 'char' | 'summary' | 'env' | 'helpGroup' | 'helpValue' | 'hidden'>
> &
  Omit<OptionFacts, 'reader'>;

/** How the text of an option, or of an argument, is read, for a caller that has a text but no command line, such as a job file. */
export interface OptionFacts {
  readonly reader?: Reader<unknown>;
  readonly form?: Form;
  /** Kind of the records whose id it holds, where a profile or a mirror may know their names: these stand for the ids. */
  readonly idOf?: IdKind;
  readonly offers?: Offers;
  /** The enumeration whose values it takes, with those that a profile allows. */
  readonly enumeration?: EnumerationType;
  /** The bounds of the whole number that it takes. */
  readonly bounds?: Bounds;
  /** The words of which it takes one, and no other. */
  readonly choices?: readonly string[];
}

/** Makes options of one kind, each with words of its own. */
export type OptionKind<T> = ReturnType<typeof Flags.custom<T>>;

/**
 * A kind of options: their text is checked, and becomes their value, while the command line is parsed.
 * @param words the usual ones of the kind
 */
export function option<T>(reader: Reader<T>, words: OptionWords = {}): OptionKind<T> {
  const parse = (text: string, command: unknown, { name }: { readonly name: string }): Promise<T> =>
    read(reader, text, { name: `--${name}`, command });
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

/** Flags below one heading of help. */
export const inGroup = <F extends object>(helpGroup: string, flags: F): F =>
  // The same flags by the same names.
  Object.fromEntries(
    Object.entries(flags).map(([name, flag]: [string, object]) => [name, { ...flag, helpGroup }]),
  ) as F;

/** The same for flags that are neutral. */
export const neutralGroup = <F extends object>(helpGroup: string, flags: F): F => neutral(inGroup(helpGroup, flags));

/** The flags that were given and are not neutral, as one text; empty when there are none. */
export function tellingFlags(flags: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(flags).filter(
    ([name, value]) => value !== undefined && value !== false && !neutralNames.has(name),
  );
  return entries.length === 0
    ? ''
    : JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** Words of an option that may be repeated. */
export const repeated = { multiple: true, multipleNonGreedy: true } as const;

/** A switch: off unless it is passed. */
export const switchFlag = (words: Partial<Interfaces.BooleanFlag<boolean>>): Interfaces.BooleanFlag<boolean> =>
  Flags.boolean({ default: false, ...words });

/** A kind of arguments, checked as options are. */
export function argument<T>(
  reader: Reader<T>,
  facts: Pick<OptionFacts, 'idOf' | 'offers' | 'enumeration'> = {},
): ReturnType<typeof Args.custom<T>> {
  const parse = (text: string, command: unknown, { name }: { readonly name: string }): Promise<T> =>
    read(reader, text, { name: name.toUpperCase(), command });
  const make = Args.custom<T>({ parse });
  // The same as `make`, whose overloads do not see through a type that is not known yet.
  return ((own: object = {}) => make({ ...facts, reader, ...own } as never)) as ReturnType<typeof Args.custom<T>>;
}
