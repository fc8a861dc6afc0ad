import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { nearest } from '../../lexical/nearest.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { nameKinds, namesLike, namesOf, type NameKind, type Names } from '../../profiles/kept/names.js';
import { chosenProfile } from '../../profiles/resolve.js';
import { profileStore } from '../session/profile-store.js';
import { isRecordKind } from '../../mirror/names/kinds.js';
import type { NamedPlace } from './places.js';
import { corrected, shownPlace } from './shown-place.js';

/** A place that holds a name which a profile may know. */
export interface KeptPlace extends NamedPlace {
  readonly kind: NameKind;
}

/** True for such a place. */
export const isKeptPlace = (place: NamedPlace): place is KeptPlace => !isRecordKind(place.kind);

/** The names of a profile. */
export interface Known {
  readonly profile: string;
  readonly argv: readonly string[];
  readonly names: Names;
}

/** The names of the profile in use, or of another one. Throws `profile`. */
export const knownNames = (context: Context, profile: string | undefined): Known => {
  const store = profileStore(context);
  const chosen = chosenProfile({ store, profile, variables: context.environment.variables });
  return { profile: chosen, argv: context.environment.argv, names: namesOf(store.kept(chosen)) };
};

const mostShown = 10;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostShown).join(', ');
  return names.length > mostShown ? `${shown} and ${names.length - mostShown} more (relctl name list)` : shown;
}

/** The kinds that have a name which one kind does not have, in words: mistakes of kinds are easily made. */
function otherKinds(text: string, names: Names): string {
  const found = nameKinds.flatMap((kind) =>
    namesLike(text, Object.keys(names[kind])).map((name) => [kind, name] as const),
  );
  return found.map(([kind, name]) => `; the ${kind} '${name}' is ${names[kind][name] ?? ''}`).join('');
}

function unknown(place: KeptPlace, text: string, { profile, names, argv }: Known): RelctlError {
  const there = Object.keys(names[place.kind]);
  const listedNames = there.length === 0 ? 'it has none' : `it has ${listed(there)}`;
  const near = nearest(text, there);
  return usage(
    shownPlace(place),
    `${shownPlace(place)}: '${text}' is no GUID, and profile '${profile}' has no ${place.kind} of that name; ${listedNames}${otherKinds(text, names)}`,
    near === undefined
      ? {
          advice: `Give the GUID, or name it once: \`${shellCommand(['name', 'set', place.kind, text])} GUID\``,
          hint: `relctl name list ${place.kind}`,
        }
      : corrected(place, text, { value: near, argv }),
  );
}

/** The id that a name of a profile means. Throws `usage` for a name that is not known or means several ids. */
export function idNamed(place: KeptPlace, text: string, known: Known): string {
  const names = known.names[place.kind];
  const [only, ...others] = namesLike(text, Object.keys(names));
  if (only === undefined) throw unknown(place, text, known);
  if (others.length === 0) return names[only] ?? '';
  const all = [only, ...others];
  const lineWith = (value: string): string => corrected(place, text, { value, argv: known.argv });
  throw usage(
    shownPlace(place),
    `${shownPlace(place)}: '${text}' may be ${all.map((name) => `${name} (${names[name] ?? ''})`).join(' or ')}`,
    {
      advice: `Give the GUID of the one that is meant: ${all.map((name) => `\`${lineWith(names[name] ?? '')}\``).join(' or ')}`,
      // None of them: pasted without a look it would be a guess.
      hint: `relctl name list ${place.kind}`,
    },
  );
}

/** What is wrong with the name in a place, in words; undefined when it is known, or may be, or its profile is not. */
export function wrongNameIn(context: Context, profile: string | undefined, place: NamedPlace): string | undefined {
  // What a mirror has is known when the job runs.
  if (!isKeptPlace(place)) return undefined;
  try {
    const known = knownNames(context, profile);
    for (const text of place.texts) idNamed(place, text, known);
    return undefined;
  } catch (thrown) {
    const { kind, message } = RelctlError.from(thrown);
    return kind === 'usage' ? message : undefined;
  }
}
