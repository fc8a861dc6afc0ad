import { findOperation } from '../../contract/service.js';
import type { Context } from '../host/context.js';
import { note } from '../host/notes.js';
import { isGuid } from '../../core/text/scalars.js';
import { isRecordKind } from '../../contract/lists.js';
import type { CommonFlags } from '../flags/common.js';
import { parameterName, type NamedParameter, type Resolutions } from './places.js';
import { idNamed, readProfileNames } from './profile-names.js';

interface NamesInput {
  readonly args: object;
  readonly flags: CommonFlags & { readonly profile?: string | undefined };
  readonly context: Context;
}

interface ResolvedText {
  readonly place: NamedParameter;
  readonly id: string;
  readonly words: readonly string[];
}

async function resolve(
  parameter: NamedParameter,
  text: string,
  given: NamesInput & { readonly isWrite: boolean },
): Promise<ResolvedText> {
  if (isGuid(text)) return { place: parameter, id: text, words: [] };
  const { kind } = parameter;
  if (isRecordKind(kind)) {
    // The driver of the database is loaded for those alone that need it.
    const { recordNamed } = await import('./with-names.js');
    const { id, words } = await recordNamed({ ...parameter, kind }, text, given);
    return { place: parameter, id, words: [words] };
  }
  const id = idNamed(parameter, text, readProfileNames(given.context, given.flags.profile));
  return { place: parameter, id, words: [`${parameterName(parameter)}: ${kind} '${text}' is ${id}`] };
}

function replaced<V extends object>(values: V, group: NamedParameter['group'], all: readonly ResolvedText[]): V {
  const entries = Object.entries(values).map(([key, before]: readonly [string, unknown]): [string, unknown] => {
    const ids = all.filter(({ place }) => place.group === group && place.key === key).map(({ id }) => id);
    if (ids.length === 0) return [key, before];
    return [key, Array.isArray(before) ? ids : ids[0]];
  });
  return { ...values, ...Object.fromEntries(entries) };
}

/**
 * Puts ids in the place of names: of those of the profile, and of the records of its mirror. A GUID means itself. A read
 * reports on stderr which record a name was resolved to; a write shows it in its question. Throws `usage` for a name that is
 * not known or means several records, `profile`, and `local` when the mirror cannot be read.
 * @param operations names of those that the command may call: they tell whether it writes
 */
export async function withIds<G extends NamesInput>(
  given: G,
  places: readonly NamedParameter[],
  operations: readonly string[],
): Promise<G & Resolutions> {
  const isWrite = operations.some((name) => findOperation(name)?.access !== 'read');
  const all: ResolvedText[] = [];
  for (const namedParameter of places)
    for (const text of namedParameter.texts) all.push(await resolve(namedParameter, text, { ...given, isWrite }));
  const wordsOf = (isOfMirror: boolean): readonly string[] =>
    all.flatMap(({ place, words }) => (isRecordKind(place.kind) === isOfMirror ? words : []));
  const mirrored = wordsOf(true);
  if (!isWrite) for (const line of mirrored) await note(given.context, given.flags, line);
  const [args, flags] = [replaced(given.args, 'args', all), replaced(given.flags, 'flags', all)];
  return { ...given, args, flags, named: wordsOf(false), mirrored };
}
