import { usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../host/context.js';
import { asksBefore, type AskingFlags } from '../consent.js';
import { profileOf } from '../session/profile-store.js';
import { isGuid } from '../../core/text/scalars/guid.js';
import { shellCommand, shellWord } from '../../core/text/shell/command.js';
import { isRecordKind } from '../../mirror/names/kinds.js';
import type { IdKind, OptionFacts } from '../flags/define.js';

/** An argument or a flag whose value is an id. */
export interface IdPlace {
  readonly group: 'args' | 'flags';
  /** Name of the argument or flag, without dashes. */
  readonly key: string;
}

/** An argument or a flag that was given a name where an id is meant. */
export interface NamedPlace extends IdPlace {
  readonly kind: IdKind;
  /** One of them at least is no GUID. */
  readonly texts: readonly string[];
}

type Definitions = Readonly<Record<string, object>>;

function placesIn(group: NamedPlace['group'], definitions: Definitions, values: object): readonly NamedPlace[] {
  return Object.entries(values).flatMap(([key, value]: readonly [string, unknown]): readonly NamedPlace[] => {
    // What `option` and `argument` were told stands in what they made, which the types of oclif do not say.
    const { idOf: kind } = (definitions[key] ?? {}) as OptionFacts;
    if (kind === undefined || value === undefined) return [];
    const texts = [value].flat().filter((text) => typeof text === 'string');
    return texts.every(isGuid) ? [] : [{ group, key, kind, texts }];
  });
}

/** The places of a command line that hold names of ids: mostly none. */
export const namedPlaces = (
  text: { readonly args: Definitions; readonly flags: Definitions },
  given: { readonly args: object; readonly flags: object },
): readonly NamedPlace[] => [...placesIn('args', text.args, given.args), ...placesIn('flags', text.flags, given.flags)];

/** What names were resolved to, in words. */
export interface Resolutions {
  /** Names of the profile. */
  readonly named: readonly string[];
  /** Names of records, with the age of the mirror. */
  readonly mirrored: readonly string[];
}

/** True for arguments one of which is the Id of a record that a mirror may have. */
export const takesRecords = (args: Definitions): boolean =>
  Object.values(args).some((arg) => isRecordKind((arg as OptionFacts).idOf ?? ''));

/** A flag or an argument as help writes it. */
export const shownPlace = ({ group, key }: IdPlace): string => (group === 'flags' ? `--${key}` : key.toUpperCase());

/** The command line with another value in the place of a text. */
export function corrected(
  place: IdPlace,
  text: string,
  { value, argv }: { readonly value: string; readonly argv: readonly string[] },
): string {
  const start = `--${place.key}=`;
  // The words of the command come first, and may be names as well.
  const at = argv.findIndex((word, index) => index > 1 && (word === text || word === start + text));
  const word = argv[at];
  if (word === undefined) return `${shownPlace(place)} ${shellWord(value)}`;
  return shellCommand(argv.with(at, word === text ? value : start + value));
}

/**
 * Throws `usage` for a name in a write that asks no question in which the record can be seen.
 * @param resolved what the name was resolved to, in words
 * @param line the command line with the Id in the place of the name
 */
export function refuseUnasked(
  resolved: string,
  line: string,
  { context, flags }: { readonly context: Context; readonly flags: AskingFlags },
): void {
  if (flags.confirm === undefined && asksBefore(context, profileOf(context, flags), flags)) return;
  throw usage(undefined, `${resolved}; a write takes a name only in a terminal, where it asks`, line);
}

/** Candidates that are listed: more are no choice for anybody. */
const mostListed = 10;

/** Lines to paste, one for each record that a text may mean, each below one that says what the record is. */
export function candidateLines(
  records: readonly { readonly id: string; readonly about: string }[],
  lineWith: (id: string) => string,
): readonly string[] {
  // The words are quoted too: zsh takes no # for a comment where somebody types.
  const lines = records.slice(0, mostListed).flatMap(({ id, about }) => [`# ${shellWord(about)}`, lineWith(id)]);
  return records.length > mostListed ? [...lines, '# and more'] : lines;
}
