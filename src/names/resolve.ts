import { findOperation } from '../contract/service.js';
import type { NamedParameter, ParsedLine, Resolutions } from '../kit/host/context.js';
import { note } from '../kit/host/notes.js';
import { isGuid } from '../core/text/scalars.js';
import { isRecordKind } from '../contract/lists.js';
import { parameterName, idNamed, readProfileNames } from './profile-names.js';

interface ResolvedText {
  readonly parameter: NamedParameter;
  readonly id: string;
  readonly words: readonly string[];
}

async function resolve(
  parameter: NamedParameter,
  text: string,
  line: ParsedLine & { readonly isWrite: boolean },
): Promise<ResolvedText> {
  if (isGuid(text)) return { parameter, id: text, words: [] };
  const { kind } = parameter;
  if (isRecordKind(kind)) {
    // The driver of the database is loaded for those alone that need it.
    const { recordNamed } = await import('./mirror-names.js');
    const { id, words } = await recordNamed({ ...parameter, kind }, text, line);
    return { parameter, id, words: [words] };
  }
  const id = idNamed(parameter, text, readProfileNames(line.context, line.flags.profile));
  return { parameter, id, words: [`${parameterName(parameter)}: ${kind} '${text}' is ${id}`] };
}

function replaced<V extends object>(values: V, group: NamedParameter['group'], all: readonly ResolvedText[]): V {
  const entries = Object.entries(values).map(([key, before]: readonly [string, unknown]): [string, unknown] => {
    const ids = all.filter(({ parameter }) => parameter.group === group && parameter.key === key).map(({ id }) => id);
    if (ids.length === 0) return [key, before];
    return [key, Array.isArray(before) ? ids : ids[0]];
  });
  return { ...values, ...Object.fromEntries(entries) };
}

/** See `Names.resolveIds`. A GUID means itself. A read reports on stderr which record a name was resolved to; a write shows it in its question. */
export async function resolveIds<L extends ParsedLine>(
  line: L,
  parameters: readonly NamedParameter[],
  operations: readonly string[],
): Promise<L & Resolutions> {
  const isWrite = operations.some((name) => findOperation(name)?.access !== 'read');
  const all: ResolvedText[] = [];
  for (const parameter of parameters)
    for (const text of parameter.texts) all.push(await resolve(parameter, text, { ...line, isWrite }));
  const wordsOf = (isOfMirror: boolean): readonly string[] =>
    all.flatMap(({ parameter, words }) => (isRecordKind(parameter.kind) === isOfMirror ? words : []));
  const mirrored = wordsOf(true);
  if (!isWrite) for (const words of mirrored) await note(line.context, line.flags, words);
  const [args, flags] = [replaced(line.args, 'args', all), replaced(line.flags, 'flags', all)];
  return { ...line, args, flags, named: wordsOf(false), mirrored };
}
