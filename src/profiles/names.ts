import { RelctlError, usage } from '../core/errors/relctl-error.js';
import { guidComplaint, isGuid, pastedGuid, sameGuid } from '../core/text/scalars.js';
import { isSameName, nameKey, shellCommand } from '../core/text/text.js';
import { isObject } from '../core/values/value.js';

/**
 * Kinds of names in a profile: of records, by the kind of the record. The last one holds the Ids of fields, each with the Id of
 * the datastore that the field chooses from.
 */
export const nameKinds = [
  'workflow',
  'entity-type',
  'datastore',
  'user',
  'group',
  'vat-rate',
  'queue',
  'field',
  'field-datastore',
] as const;

/** One of those kinds. */
export type NameKind = (typeof nameKinds)[number];

/** Setting of a profile that holds names of ids, by kind. */
export const namesSetting = 'names';

/** Ids by their names. */
export type IdsByName = Readonly<Record<string, string>>;

/** Ids by name, of each kind. */
export type Names = Readonly<Record<NameKind, IdsByName>>;

function unusable(): RelctlError {
  return new RelctlError('profile', `the setting ${namesSetting} has an invalid value`, {
    facts: { path: namesSetting },
  });
}

/** The names that a profile keeps. Throws `profile` when they are not readable. */
export function namesOf(profile: Readonly<Record<string, unknown>>): Names {
  const known = profile[namesSetting] ?? {};
  if (!isObject(known)) throw unusable();
  const ofKind = (kind: NameKind): IdsByName => {
    const names = known[kind] ?? {};
    if (!isObject(names) || !Object.values(names).every((id) => typeof id === 'string' && isGuid(id))) throw unusable();
    // The type was checked in the line before.
    return Object.fromEntries(Object.entries(names)) as IdsByName;
  };
  return Object.fromEntries(nameKinds.map((kind) => [kind, ofKind(kind)] as const)) as Names;
}

/** The names among these that a text means: the one that matches exactly, else all that differ in case only. */
export function namesLike(text: string, known: readonly string[]): readonly string[] {
  const exact = known.filter((name) => isSameName(name, text));
  return exact.length > 0 ? exact : known.filter((name) => nameKey(name) === nameKey(text));
}

const longest = 64;

/** True for what looks like a GUID, whole or damaged: a name of that form would hide a slip of the keyboard. */
const isLikeGuid = (text: string): boolean =>
  pastedGuid(text) !== undefined ||
  guidComplaint(text) !== '' ||
  /^(?:0x[0-9a-f]{16,}|[0-9a-f]{8}-[0-9a-f-]*)$/i.test(text);

/** What is wrong with the name 00000000-0030-4000-8000. */
export const looksLikeGuid = 'looks like a GUID';

/** What is wrong with a text that is meant as a name, in words; undefined when it can be one. */
export function wrongName(text: string): string | undefined {
  const name = text.normalize('NFC');
  if (name === '' || name.trim() !== name) return 'is empty, or begins or ends with a space';
  if (Array.from(name).length > longest) return `has more than ${longest} characters`;
  // Nobody sees these characters, so nobody could type the name again.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return 'has an invisible character';
  if (name.startsWith('-')) return 'begins with -, like a flag';
  return isLikeGuid(name) ? looksLikeGuid : undefined;
}

/** A name as it is stored: in composed characters. Throws `usage` for a text that cannot name an id of the kind. */
export function checkedName(kind: NameKind, text: string): string {
  if (kind === 'field' && text.includes('='))
    throw usage('NAME', 'the name of a field cannot have =, which separates it in --field NAME=VALUE');
  const wrong = wrongName(text);
  if (wrong === undefined) return text.normalize('NFC');
  throw usage('NAME', `a name has 1 to ${longest} visible characters, and is not a GUID; this one ${wrong}`);
}

/** An id and its name. */
export interface NamedId {
  readonly kind: NameKind;
  readonly name: string;
  /** Null takes the name away. */
  readonly id: string | null;
}

/**
 * What a profile keeps, with one more name or one less. A name that differs from a known one in case only is the same name.
 * Throws `usage` for a name that means another id, unless it is to be replaced, and `profile`.
 */
export function withName(
  profile: Readonly<Record<string, unknown>>,
  named: NamedId,
  { replaces }: { readonly replaces: boolean },
): Readonly<Record<string, unknown>> {
  const { kind, name, id } = named;
  const names = namesOf(profile)[kind];
  const known = Object.keys(names);
  const same = id === null ? namesLike(name, known) : known.filter((other) => nameKey(other) === nameKey(name));
  const sameName = id === null ? undefined : same.find((other) => !sameGuid(names[other] ?? '', id));
  if (sameName !== undefined && !replaces) {
    throw usage(
      '--force',
      `the ${kind} '${sameName}' is ${names[sameName] ?? ''} already`,
      `${shellCommand(['name', 'set', kind, name, id ?? ''])} --force`,
    );
  }
  const others = Object.entries(names).filter(([other]) => !same.includes(other));
  const added: [string, string][] = id === null ? [] : [[name, id]];
  const storedNames = profile[namesSetting];
  // Kinds that this version does not know stay.
  const all = { ...(isObject(storedNames) ? storedNames : {}), [kind]: Object.fromEntries([...others, ...added]) };
  return { ...profile, [namesSetting]: all };
}
