import { isGuid } from '../../lexical/values/guid.js';
import { isRecordKind } from '../../mirror/names/kinds.js';
import type { IdKind, OptionFacts } from '../flags/define.js';

/** An argument or a flag that was given a name where an id is meant. */
export interface NamedPlace {
  readonly group: 'args' | 'flags';
  /** Name of the argument or flag, without dashes. */
  readonly key: string;
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

/** What names were found to mean. */
export interface Meanings {
  /** By the names of the profile, in words. */
  readonly named: readonly string[];
  /** By the mirror, in words that tell its age. */
  readonly mirrored: readonly string[];
}

/** True for arguments one of which is the Id of a record that a mirror may have. */
export const takesRecords = (args: Definitions): boolean =>
  Object.values(args).some((arg) => isRecordKind((arg as OptionFacts).idOf ?? ''));
