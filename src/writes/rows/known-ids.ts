import { hasMirror } from '../../kit/mirror/place.js';
import { mirrorFor } from '../../kit/names/with-names.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { note } from '../../kit/host/notes.js';
import type { InputRow } from '../../formats/readers/input.js';
import { pastedGuid } from '../../core/text/scalars/guid.js';
import { isRecordKind, knownIds, type RecordKind } from '../../mirror/names/kinds.js';
import type { BulkPlace } from './rows-text.js';
import type { Mistake, Reading } from './read-row.js';

/** A column that holds Ids of records that a mirror may have. */
interface IdColumn {
  readonly index: number;
  readonly title: string;
  readonly kind: RecordKind;
}

/** The Ids of a kind, by the mirror, and its age in words. */
interface Known {
  readonly has: (id: string) => boolean;
  readonly age: string;
}

function idColumns({ columns, targets, places }: Reading): readonly IdColumn[] {
  return targets.flatMap((target, index) => {
    const kind = target.kind === 'value' ? places.get(target.name)?.idOf : undefined;
    return kind === undefined || !isRecordKind(kind) ? [] : [{ index, title: columns[index] ?? '', kind }];
  });
}

/**
 * Compares the Ids in the rows of a file with the mirror of the profile, where it has one. A mirror that cannot be
 * read forbids no write: a note says that it was not looked into.
 */
export class KnownIds {
  readonly #place: BulkPlace;
  readonly #columns: readonly IdColumn[];
  readonly #known = new Map<RecordKind, Known | undefined>();

  constructor(place: BulkPlace, reading: Reading) {
    const { context, session } = place;
    this.#place = place;
    const isAsked = session.profile.values.checkIds?.value !== false && hasMirror(context, session.profile.name);
    this.#columns = isAsked ? idColumns(reading) : [];
  }

  /** True where rows have Ids that are compared. */
  get isAsked(): boolean {
    return this.#columns.length > 0;
  }

  /** The Ids of a row that the mirror does not have. Throws what a sync by --max-age throws. */
  async mistakesIn({ line, cells }: Pick<InputRow, 'line' | 'cells'>): Promise<readonly Mistake[]> {
    const mistakes: Mistake[] = [];
    for (const { index, title, kind } of this.#columns) {
      const { [index]: cell } = cells;
      const id = typeof cell === 'string' ? pastedGuid(cell) : undefined;
      if (id === undefined) continue;
      const known = this.#known.has(kind) ? this.#known.get(kind) : await this.#open(kind);
      if (known === undefined || known.has(id)) continue;
      const what = `no ${kind} of the mirror, ${known.age}, has this Id: --max-age 0s asks again, --set checkIds=no sends it`;
      mistakes.push({ line, column: title, what });
    }
    return mistakes;
  }

  async #open(kind: RecordKind): Promise<Known | undefined> {
    const known = await this.#read(kind);
    this.#known.set(kind, known);
    return known;
  }

  async #read(kind: RecordKind): Promise<Known | undefined> {
    const { context, flags } = this.#place;
    try {
      const found = await mirrorFor(kind, this.#place);
      if ('why' in found) return undefined;
      const has = knownIds(found.mirror.database, kind);
      return has && { has, age: found.age };
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.kind !== 'local' && error.kind !== 'profile') throw error;
      await note(context, flags, `Ids were not compared with the mirror: ${error.message}`);
      return undefined;
    }
  }
}
