import type { LookUp } from '../../cli/names/of-mirror.js';
import { Meaning } from '../../cli/names/resolve.js';
import { shownPlace } from '../../cli/names/shown-place.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { note } from '../../host/notes.js';
import { isGuid } from '../../lexical/values/guid.js';
import type { IdKind } from '../../cli/flags/define.js';
import type { Place } from './columns.js';
import { withoutMistakes } from '../mistakes.js';
import type { BulkPlace, RowValues } from '../rows-text.js';

/** More meanings than a person reads are only counted. */
const mostTold = 10;

/** What a text was found to mean, or why it means nothing. */
type Meant = { readonly id: string; readonly words: string } | RelctlError;

/** Names that are remembered; then they are looked up again. */
const mostKept = 20_000;

type Mirrors = NonNullable<LookUp['ofRows']>;

/**
 * Names in cells where ids are meant: of those that the profile keeps, and of the records of its mirror. Each is looked up
 * once, unless there are more than are remembered; all of them in one state of the mirror.
 */
export class RowNames {
  readonly #meaning: Meaning;
  readonly #places: ReadonlyMap<string, Place>;
  readonly #mirrors: Mirrors = new Map();
  readonly #states = new Map<IdKind, string>();
  readonly #found = new Map<string, Meant>();
  readonly #words: string[] = [];
  #meanings = 0;

  constructor({ context, session, flags }: BulkPlace, places: ReadonlyMap<string, Place>) {
    this.#meaning = new Meaning({ context, session, flags, isWrite: true, ofRows: this.#mirrors });
    this.#places = places;
  }

  /** The row with ids in the place of names. Throws `RowMistakes` for names that are not known, and what reading a mirror throws. */
  async inRow(row: RowValues): Promise<RowValues> {
    const named = [...row.own].flatMap((name) => {
      const { [name]: text } = row.values;
      const kind = this.#places.get(name)?.idOf;
      return kind === undefined || typeof text !== 'string' || isGuid(text) ? [] : [{ name, kind, text }];
    });
    if (named.length === 0) return row;
    const ids = await withoutMistakes(
      named.map((each) => async (): Promise<readonly [string, string]> => [
        each.name,
        await this.#idOf(each.name, each),
      ]),
    );
    return { ...row, values: { ...row.values, ...Object.fromEntries(ids) } };
  }

  async #idOf(key: string, { kind, text }: { readonly kind: IdKind; readonly text: string }): Promise<string> {
    const mark = `${key} ${text}`;
    const meant = this.#found.get(mark) ?? (await this.#lookedUp(mark, key, { kind, text }));
    if (meant instanceof RelctlError) throw meant;
    return meant.id;
  }

  async #lookedUp(mark: string, key: string, asked: { readonly kind: IdKind; readonly text: string }): Promise<Meant> {
    const meant = await this.#lookUp(key, asked);
    await this.#checkState();
    if (this.#found.size >= mostKept) this.#found.clear();
    this.#found.set(mark, meant);
    if (meant instanceof RelctlError) return meant;
    this.#meanings += 1;
    if (this.#words.length < mostTold) this.#words.push(meant.words);
    return meant;
  }

  /** Throws `local` when the mirror was synced since the first name was looked up: a name may mean another record by now. */
  async #checkState(): Promise<void> {
    for (const [kind, opening] of this.#mirrors) {
      const opened = await opening;
      if (typeof opened === 'string') continue;
      const state = opened.mirror.state();
      const first = this.#states.get(kind) ?? state;
      this.#states.set(kind, first);
      if (state === first) continue;
      throw new RelctlError('local', 'the mirror was synced while names of the rows were looked up in it', {
        facts: { code: 'mirror' },
        advice: 'A name may mean another record by now. Run the command again when no sync is under way.',
      });
    }
  }

  async #lookUp(key: string, { kind, text }: { readonly kind: IdKind; readonly text: string }): Promise<Meant> {
    const place = { group: 'flags', key, kind, texts: [text] } as const;
    // The place of the mistake is that of the cell.
    const start = shownPlace(place);
    const bare = (words: string): string =>
      words.startsWith(`${start} `) ? words.slice(start.length + 1) : words.replace(`${start}: `, '');
    try {
      const { id, words } = await this.#meaning.of(place, text);
      return { id, words: bare(words) };
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.kind !== 'usage') throw thrown;
      return error.but({ message: bare(error.message), facts: { ...error.facts, path: key } });
    }
  }

  /** Tells what names were found to mean, where a person may look. */
  async tell({ context, flags }: BulkPlace): Promise<void> {
    if (!context.streams.err.isTerminal) return;
    for (const line of this.#words) await note(context, flags, line);
    const more = this.#meanings - this.#words.length;
    if (more > 0) await note(context, flags, `and ${more} more names stand for ids`);
  }
}
