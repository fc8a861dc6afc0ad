import { RelctlError, usage } from '../core/errors/relctl-error.js';
import type { Context, NamedParameter, IdParameter } from '../kit/host/context.js';
import { nearest, shellCommand, shellWord } from '../core/text/text.js';
import { isRecordKind } from '../contract/lists.js';
import { nameKinds, namesLike, namesOf, type NameKind, type Names } from '../profiles/names.js';
import { chosenName, profileStore, profileOf } from '../kit/session/profile-store.js';
import type { Session } from '../kit/session/session.js';
import { confirmsWrites, type AskingFlags } from '../kit/consent.js';

const mostListed = 10;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'it has none';
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : '';
  return `it has ${names.slice(0, mostListed).join(', ')}${more}`;
}

interface ProfileNames {
  readonly profile: string;
  readonly argv: readonly string[];
  readonly names: Names;
}

/** The names of the profile in use, or of another one. Throws `profile`. */
export function readProfileNames(context: Context, profile: string | undefined): ProfileNames {
  const chosen = chosenName(context, profile);
  return { profile: chosen, argv: context.environment.argv, names: namesOf(profileStore(context).kept(chosen)) };
}

/** The id that a name of a profile means. Throws `usage` for a name that the profile does not have. */
export function idNamed(parameter: NamedParameter, text: string, { profile, argv, names }: ProfileNames): string {
  // What is no kind of records in a mirror is one of the profile.
  const kind = parameter.kind as NameKind;
  const known = Object.keys(names[kind]);
  const [name, second] = namesLike(text, known);
  if (name !== undefined && second === undefined) return names[kind][name] ?? '';
  const near = nearest(text, known);
  const path = parameterName(parameter);
  throw usage(
    path,
    second === undefined
      ? `${path}: '${text}' is not a GUID, and profile '${profile}' has no ${kind} of that name; ${listed(known)}`
      : `${path}: '${text}' may be ${name} or ${second}`,
    near === undefined
      ? {
          advice: `Use the GUID, or save the name once: \`${shellCommand(['name', 'set', kind, text])} GUID\``,
          hint: `relctl name list ${kind}`,
        }
      : corrected(parameter, text, { value: near, argv }),
  );
}

/** What is wrong with the name in a place, in words; undefined when it is known, or may be, or its profile is not. */
export function wrongNameIn(
  context: Context,
  profile: string | undefined,
  namedParameter: NamedParameter,
): string | undefined {
  // What a mirror has is known when the job runs.
  if (isRecordKind(namedParameter.kind)) return undefined;
  try {
    const known = readProfileNames(context, profile);
    for (const text of namedParameter.texts) idNamed(namedParameter, text, known);
    return undefined;
  } catch (thrown) {
    const { kind, message } = RelctlError.from(thrown);
    return kind === 'usage' ? message : undefined;
  }
}

function namesById(context: Context, { profile }: Pick<Session, 'profile'>): ReadonlyMap<string, string> {
  try {
    const names = namesOf(profileStore(context).kept(profile.name));
    const kinds = nameKinds.filter((kind) => kind !== 'field-datastore');
    return new Map(
      kinds.flatMap((kind) => Object.entries(names[kind]).map(([name, id]) => [id.toLowerCase(), name] as const)),
    );
  } catch (thrown) {
    // A record is worth more than names for what it refers to.
    if (thrown instanceof RelctlError) return new Map();
    throw thrown;
  }
}

/** What the profile of a session calls ids; its file is read when the first is asked for. */
export function profileNames(context: Context, session: Pick<Session, 'profile'>): (id: string) => string | undefined {
  let names: ReadonlyMap<string, string> | undefined;
  return (id) => (names ??= namesById(context, session)).get(id.toLowerCase());
}

/** A flag or an argument as help writes it. */
export const parameterName = ({ group, key }: IdParameter): string =>
  group === 'flags' ? `--${key}` : key.toUpperCase();

/** The command line with another value in the place of a text. */
export function corrected(
  parameter: IdParameter,
  text: string,
  { value, argv }: { readonly value: string; readonly argv: readonly string[] },
): string {
  const start = `--${parameter.key}=`;
  // The words of the command come first, and may be names as well.
  const at = argv.findIndex((word, index) => index > 1 && (word === text || word === start + text));
  const word = argv[at];
  if (word === undefined) return `${parameterName(parameter)} ${shellWord(value)}`;
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
  if (flags.confirm === undefined && confirmsWrites(context, profileOf(context, flags), flags)) return;
  throw usage(undefined, `${resolved}; a write resolves a name only in a terminal, where relctl asks`, line);
}

const mostCandidates = 10;

/** Lines to paste, one for each record that a text may mean, each below one that says what the record is. */
export function candidateLines(
  records: readonly { readonly id: string; readonly about: string }[],
  lineWith: (id: string) => string,
): readonly string[] {
  // The words are quoted too: zsh takes no # for a comment where somebody types.
  const lines = records.slice(0, mostCandidates).flatMap(({ id, about }) => [`# ${shellWord(about)}`, lineWith(id)]);
  return records.length > mostCandidates ? [...lines, '# and more'] : lines;
}
