import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { isGuid } from '../../lexical/guid.js';
import { nearest } from '../../lexical/nearest.js';
import { shellCommand, shellWord } from '../../lexical/shell.js';
import { nameKinds, namesLike, namesOf, type Names } from '../../profiles/names.js';
import { chosenProfile } from '../../profiles/resolve.js';
import { profileStore } from '../profile-store.js';
import type { NamedPlace } from './places.js';

/** Where names are looked up. */
interface Known {
  readonly profile: string;
  readonly argv: readonly string[];
  readonly names: Names;
}

const knownNames = (context: Context, profile: string | undefined): Known => {
  const store = profileStore(context);
  const chosen = chosenProfile({ store, profile, variables: context.environment.variables });
  return { profile: chosen, argv: context.environment.argv, names: namesOf(store.kept(chosen)) };
};

/** A flag or an argument as help writes it. */
const shownPlace = ({ group, key }: NamedPlace): string => (group === 'flags' ? `--${key}` : key.toUpperCase());

/** The command line with another value in the place of a name. */
function corrected(
  place: NamedPlace,
  text: string,
  { value, argv }: { value: string; argv: readonly string[] },
): string {
  const start = `--${place.key}=`;
  const at = argv.findIndex((word) => word === text || word === start + text);
  const word = argv[at];
  if (word === undefined) return `${shownPlace(place)} ${shellWord(value)}`;
  return shellCommand(argv.with(at, word === text ? value : start + value));
}

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

function unknown(place: NamedPlace, text: string, { profile, names, argv }: Known): RelctlError {
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

function idNamed(place: NamedPlace, text: string, known: Known): string {
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

/** What is wrong with the name in a place, in words; undefined when it is known, or its profile is not. */
export function wrongNameIn(context: Context, profile: string | undefined, place: NamedPlace): string | undefined {
  try {
    const known = knownNames(context, profile);
    for (const text of place.texts) idNamed(place, text, known);
    return undefined;
  } catch (thrown) {
    const { kind, message } = RelctlError.from(thrown);
    return kind === 'usage' ? message : undefined;
  }
}

/** What a command was given. */
interface Given {
  readonly args: object;
  readonly flags: object;
  readonly context: Context;
}

/** The same with ids for names, and what each name means, in words. */
export type GivenIds<G> = G & { readonly named: readonly string[] };

function replaced<V extends object>(values: V, places: readonly NamedPlace[], idOf: IdOf): V {
  const entries = places.map((place): [string, unknown] => {
    const ids = place.texts.map((text) => idOf(place, text));
    const before = (values as Readonly<Record<string, unknown>>)[place.key];
    return [place.key, Array.isArray(before) ? ids : ids[0]];
  });
  return { ...values, ...Object.fromEntries(entries) };
}

type IdOf = (place: NamedPlace, text: string) => string;

/**
 * Puts the ids of the profile in the place of names. A GUID means itself. Throws `usage` for a name that is not known or
 * means several ids, and `profile`.
 */
export function withIds<G extends Given>(given: G, places: readonly NamedPlace[]): GivenIds<G> {
  const { profile } = given.flags as { readonly profile?: string };
  const known = knownNames(given.context, profile);
  const idOf: IdOf = (place, text) => (isGuid(text) ? text : idNamed(place, text, known));
  const named = places.flatMap((place) =>
    place.texts
      .filter((text) => !isGuid(text))
      .map((text) => `${shownPlace(place)}: ${place.kind} '${text}' is ${idOf(place, text)}`),
  );
  const of = (group: NamedPlace['group']): readonly NamedPlace[] => places.filter((place) => place.group === group);
  return {
    ...given,
    args: replaced(given.args, of('args'), idOf),
    flags: replaced(given.flags, of('flags'), idOf),
    named,
  };
}
