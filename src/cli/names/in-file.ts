import { isSeen } from '../mirror/age.js';
import {
  findHint,
  keysOf,
  mirrorFor,
  mostShown,
  syncAdvice,
  syncCommand,
  toldOf,
  type AgedMirror,
} from './of-mirror.js';
import { mayBeName } from '../flags/readers.js';
import type { MirrorPlace } from './open-mirror.js';
import { usage } from '../../errors/usage.js';
import { note } from '../../host/notes.js';
import { guidComplaint } from '../../lexical/values/guid.js';
import { shellWord } from '../../lexical/shell/command.js';
import { forMessage } from '../../lexical/text.js';
import { findNamed, mostHits, type NameHit } from '../../mirror/names/find.js';

const kind = 'relation';

/** A line of a file that is no GUID. */
interface GivenId {
  readonly id: string;
  /** Its number, from 1. */
  readonly line: number;
  /** What else it looks like, in words: a header. */
  readonly asHeader?: string | undefined;
}

/** A line that stands for no record, or for several. */
interface Mistake {
  readonly given: GivenId;
  readonly what: string;
  /** Lines that may stand in its place: what is one of relctl's comments in such a file, and an id. */
  readonly candidates: readonly string[];
}

/** Characters of a name that are shown. */
const longest = 60;

const shownName = (text: string): string =>
  `'${forMessage(text.length > longest ? `${text.slice(0, longest)}…` : text)}'`;

/** What a line is that is no GUID, in words. */
const noGuid = ({ id, asHeader }: GivenId): string =>
  asHeader === undefined
    ? `${shownName(id)} is no GUID such as 6f9619ff-8b86-d011-b42d-00c04fc964ff${guidComplaint(id)}`
    : `${shownName(id)} is no GUID; ${asHeader}`;

function candidatesOf(hits: readonly NameHit[]): readonly string[] {
  const lines = hits.slice(0, mostShown).flatMap((hit) => [`# ${shellWord(toldOf(hit))}`, hit.id]);
  const more = hits.length > mostHits ? `more than ${mostHits - mostShown}` : String(hits.length - mostShown);
  return hits.length > mostShown ? [...lines, `# and ${more} more`] : lines;
}

/**
 * Names that stand for the ids of relations on the lines of a file. A file means the same wherever it is read: nobody is
 * asked, and the case of letters counts. The mirror is opened for the first name.
 */
export class NamedLines {
  readonly #source: string;
  readonly #place: MirrorPlace;
  readonly #mistakes: Mistake[] = [];
  readonly #told: string[] = [];
  #count = 0;
  #opened: AgedMirror | undefined;

  constructor(source: string, place: MirrorPlace) {
    this.#source = source;
    this.#place = place;
  }

  /**
   * The id that a name stands for; undefined for a mistake, which `end` throws. Throws `usage` for what is no GUID where no
   * mirror has names, or when there are many mistakes; `local` and `profile` when the mirror cannot be read.
   */
  async idOf(given: GivenId): Promise<string | undefined> {
    // An empty cell is not the record whose import key is empty.
    if (!mayBeName(given.id)) throw usage('--ids', `${this.#at(given)}: ${noGuid(given)}`);
    const { mirror, age } = (this.#opened ??= await this.#open(given));
    const hits = findNamed(mirror.database, kind, { text: given.id, isCaseless: false });
    const [hit, second] = hits;
    if (hit === undefined || second !== undefined) {
      this.#mistakes.push(hit === undefined ? this.#unknown(given) : this.#several(given, hits));
      // The lines behind a header would be mistakes as well.
      if (this.#mistakes.length === mostShown || this.#asHeader !== undefined) this.#refuse();
      return undefined;
    }
    this.#count += 1;
    if (this.#count <= mostShown)
      this.#told.push(`${this.#at(given)}: relation ${shownName(given.id)} is ${hit.id} by the mirror, ${age}`);
    return hit.id.toLowerCase();
  }

  /** Says what names were found to mean, where somebody may read it. Throws `usage` for the lines that mean no record. */
  async end(): Promise<void> {
    if (this.#mistakes.length > 0) this.#refuse();
    const { context, flags } = this.#place;
    if (!isSeen(context)) return;
    for (const line of this.#told) await note(context, flags, line);
    const more = this.#count - this.#told.length;
    if (more > 0) await note(context, flags, `${this.#source}: more names that the mirror has: ${more}`);
  }

  /** What the first mistake looks like where no record is named nearly so. */
  get #asHeader(): string | undefined {
    const [first] = this.#mistakes;
    return first?.candidates.length === 0 ? first.given.asHeader : undefined;
  }

  #at = ({ line }: GivenId): string => `${this.#source}, line ${line}`;

  async #open(given: GivenId): Promise<AgedMirror> {
    const found = await mirrorFor(kind, this.#place);
    if (typeof found !== 'string') {
      // All names of a file are those of one state.
      found.mirror.database.execute('BEGIN');
      return found;
    }
    const what = `${this.#at(given)}: ${noGuid(given)}`;
    if (guidComplaint(given.id) !== '') throw usage('--ids', what);
    if (given.asHeader !== undefined)
      throw usage('--ids', what, { advice: `If it is a name: ${found}; \`${syncCommand(kind)}\` brings it.` });
    throw usage('--ids', `${what}; ${found}`, syncCommand(kind));
  }

  #several(given: GivenId, hits: readonly NameHit[]): Mistake {
    const count = hits.length > mostHits ? `more than ${mostHits}` : String(hits.length);
    return {
      given,
      what: `${shownName(given.id)} is the name of ${count} relations in the mirror`,
      candidates: candidatesOf(hits),
    };
  }

  #unknown(given: GivenId): Mistake {
    const { database } = (this.#opened as AgedMirror).mirror;
    const near = findNamed(database, kind, { text: given.id, isCaseless: true });
    // A slip in a GUID is no name.
    if (near.length === 0 && guidComplaint(given.id) !== '') return { given, what: noGuid(given), candidates: [] };
    const what = `${shownName(given.id)} is no GUID, and no ${keysOf(kind)} of a relation in the mirror`;
    return {
      given,
      what: near.length === 0 ? what : `${what}; in a file the case of letters counts`,
      candidates: candidatesOf(near),
    };
  }

  #refuse(): never {
    const [first, ...others] = this.#mistakes;
    if (first === undefined) throw new RangeError('no mistakes');
    const age = `(${this.#opened?.age ?? ''})`;
    const hasCandidates = this.#mistakes.some(({ candidates }) => candidates.length > 0);
    const advice = hasCandidates ? 'Give the Id in the place of the name.' : syncAdvice(kind);
    const { id } = first.given;
    const guidance = { advice, ...(id.length > longest ? {} : { hint: findHint(id) }) };
    if (others.length === 0) {
      const asHeader = this.#asHeader === undefined ? '' : `; ${this.#asHeader}`;
      const what = `${this.#at(first.given)}: ${first.what} ${age}${asHeader}`;
      throw usage('--ids', what, guidance).but({ excerpt: first.candidates });
    }
    const lines = this.#mistakes.flatMap(({ given, what, candidates }) => [
      `line ${given.line}: ${what}`,
      ...candidates,
    ]);
    const most = others.length + 1 === mostShown ? ' or more' : '';
    throw usage(
      '--ids',
      `${this.#source}: ${others.length + 1}${most} lines do not mean one relation each ${age}`,
      guidance,
    ).but({ excerpt: lines });
  }
}
