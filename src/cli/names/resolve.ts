import { findOperation } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { isGuid } from '../../lexical/values/guid.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { addedKinds, isRecordKind, tablesOf } from '../../mirror/names/kinds.js';
import type { CommonFlags } from '../flags/output.js';
import type { OtherMirror } from '../mirror/age.js';
import { idNamed, isKeptPlace, knownNames, type Known } from './kept.js';
import type { LookUp, RecordPlace } from './of-mirror.js';
import type { Meanings, NamedPlace } from './places.js';
import { shownPlace } from './shown-place.js';

/** What a command was given. */
interface Given {
  readonly args: object;
  readonly flags: CommonFlags;
  readonly context: Context;
}

/** What a command is, for the names that it was given. */
export interface NamingCommand extends OtherMirror {
  /** Names of the operations that it may call: they tell whether it writes. */
  readonly operations: readonly string[];
}

/** A text in a place of a command line, and the id that it means. */
interface Meant {
  readonly place: NamedPlace;
  readonly text: string;
  readonly id: string;
  /** What it means, in words; empty for a GUID, which means itself. */
  readonly words: string;
}

/** Gives the ids of texts; the names of the profile are read when the first is asked for. */
export class Meaning {
  readonly #lookUp: LookUp;
  #known: Known | undefined;

  constructor(lookUp: LookUp) {
    this.#lookUp = lookUp;
  }

  /** The id of a text. Throws `usage` for a name that is not known or means several ids, and what reading a mirror throws. */
  async of(place: NamedPlace, text: string): Promise<Meant> {
    if (isGuid(text)) return { place, text, id: text, words: '' };
    if (!isKeptPlace(place)) {
      // The driver of the database is loaded for those alone that need it.
      const { recordNamed } = await import('./of-mirror.js');
      // What is no place of a name of a profile is one of a record.
      return { place, text, ...(await recordNamed(place as RecordPlace, text, this.#lookUp)) };
    }
    const { context, flags } = this.#lookUp;
    this.#known ??= knownNames(context, flags.profile);
    const id = idNamed(place, text, this.#known);
    return { place, text, id, words: `${shownPlace(place)}: ${place.kind} '${text}' is ${id}` };
  }
}

function replaced<V extends object>(values: V, group: NamedPlace['group'], meant: readonly Meant[]): V {
  const entries = Object.entries(values).map(([key, before]: readonly [string, unknown]): [string, unknown] => {
    const ids = meant.filter(({ place }) => place.group === group && place.key === key).map(({ id }) => id);
    if (ids.length === 0) return [key, before];
    return [key, Array.isArray(before) ? ids : ids[0]];
  });
  return { ...values, ...Object.fromEntries(entries) };
}

const wordsOf = (meant: readonly Meant[]): readonly string[] =>
  meant.flatMap(({ words }) => (words === '' ? [] : [words]));

/** Tells what the mirror was found to mean, wherever somebody may look: cron stays silent. */
async function tell({ context, flags }: Given, mirrored: readonly string[]): Promise<void> {
  if (!context.streams.err.isTerminal && context.errorShape !== 'json') return;
  for (const line of mirrored) await note(context, flags, line);
}

/**
 * Puts ids in the place of names: of those that the profile keeps, and of the records of its mirror. A GUID means itself. A
 * read says what the mirror was found to mean; a write says it when it asks. Throws `usage` for a name that is not known or
 * means several ids, `profile`, and `local` when the mirror cannot be read.
 */
export async function withIds<G extends Given>(
  given: G,
  places: readonly NamedPlace[],
  { operations, mirror }: NamingCommand,
): Promise<G & Meanings> {
  const isWrite = operations.some((name) => findOperation(name)?.access !== 'read');
  const meaning = new Meaning({ ...given, isWrite, mirror });
  const meant: Meant[] = [];
  // One after the other: each may ask.
  for (const place of places) for (const text of place.texts) meant.push(await meaning.of(place, text));
  const [kept, mirrored] = [true, false].map((isKept) =>
    wordsOf(meant.filter(({ place }) => isKeptPlace(place) === isKept)),
  ) as [readonly string[], readonly string[]];
  if (!isWrite) await tell(given, mirrored);
  const [args, flags] = [replaced(given.args, 'args', meant), replaced(given.flags, 'flags', meant)];
  return { ...given, args, flags, named: kept, mirrored };
}

/**
 * The failure of a command whose ids came from the mirror: where the service does not know a record, the mirror may be too
 * old.
 */
export function withAge(thrown: unknown, { mirrored }: Meanings, places: readonly NamedPlace[]): unknown {
  const error = RelctlError.from(thrown);
  // What the mirror itself lacks says how it is brought there.
  if (mirrored.length === 0 || error.kind !== 'not-found' || error.facts.code === 'mirror') return thrown;
  const tables = places.flatMap(({ kind }) => (isRecordKind(kind) && !addedKinds.has(kind) ? tablesOf(kind) : []));
  return error.but({
    message: `${error.message}; ${mirrored.join('; ')}`,
    advice: 'The record was removed, or the mirror is too old.',
    hint: shellCommand(['mirror', 'sync', ...tables]),
  });
}
