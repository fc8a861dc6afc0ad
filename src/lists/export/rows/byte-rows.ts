import type { RecordValue, Value } from '../../../core/values/value.js';
import { beforeText, contentEnd, contentRoom, memberText } from '../../../client/rows/content-hash.js';
import type { RenderedPage } from '../../../client/rows/rendered-page.js';
import type { WriteBytes } from '../../../client/rows/renderer.js';
import type { CellLayout, RowLayout } from '../../../formats/writers/format.js';
import type { ByteMember, ByteForm, FlatBytes } from '../../../soap/codec/decode-bytes.js';
import { ByteWriter, isBlank, isGuidAt, isWordAt } from './byte-writer.js';

/** Most bytes of a content; longer ones are rendered as records. */
const mostContent = 64 * 1024;

const noBytes = new Uint8Array(0);
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'utf8'));
const maybeBytes = (text: string | undefined): Uint8Array | undefined =>
  text === undefined ? undefined : bytesOf(text);

/** Which records have rows. */
export interface Keeping {
  readonly keeps: (record: RecordValue) => boolean;
  /** The members that it may look at; undefined for all. */
  readonly looksAt?: ReadonlySet<string> | undefined;
}

/** A value that is no text: its part of the content, and each cell of the layout that shows it. */
interface Fixed {
  readonly value: Value;
  readonly content: Uint8Array;
  /** By the cells; undefined for those of other members, and for what is left out. */
  readonly cells: readonly (Uint8Array | undefined)[];
}

/** What the text of a child stands for: itself, a value, or something for which a record is needed. */
type Meaning = 'text' | Fixed | undefined;
type Read = (element: FlatBytes, child: number) => Meaning;

interface Child {
  readonly name: string;
  readonly isRequired: boolean;
  /** By the forms of the child. */
  readonly reads: readonly Read[];
  /** What stands before its text in a content. */
  readonly before: Uint8Array;
}

interface Cell {
  /** Index of the member among the children, -1 when there is none. */
  readonly child: number;
  readonly before: Uint8Array;
  readonly of: CellLayout['of'];
  readonly around: Uint8Array;
  /** Bytes of which a text that is copied has none; undefined when no text is copied. */
  readonly odd: Uint8Array | undefined;
  readonly absent: Uint8Array | undefined;
  readonly empty: Uint8Array | undefined;
}

const [trueWord, falseWord] = [bytesOf('true'), bytesOf('false')];
const endOfContent = bytesOf(contentEnd);

/** Makes the function that reads one form of a member. */
function readerOf(form: ByteForm, fixedOf: (value: Value) => Fixed): Read {
  switch (form.kind) {
    case 'close':
      return () => undefined;
    case 'text':
      return () => 'text';
    case 'guid':
      return ({ bytes, begins, ends }, child) =>
        isGuidAt(bytes, begins[child] ?? 0, ends[child] ?? 0) ? 'text' : undefined;
    case 'blank': {
      const fixed = fixedOf(form.value);
      return ({ bytes, begins, ends }, child) =>
        isBlank(bytes, begins[child] ?? 0, ends[child] ?? 0) ? fixed : undefined;
    }
    case 'boolean':
      return readBoolean(fixedOf(true), fixedOf(false));
    case 'scalar':
      return readScalar(form.read, fixedOf);
  }
}

/** Other words for them are looked at closely. */
function readBoolean(yes: Fixed, no: Fixed): Read {
  return ({ bytes, begins, ends }, child) => {
    const begin = begins[child] ?? 0;
    const length = (ends[child] ?? 0) - begin;
    if (length === trueWord.length && isWordAt(bytes, begin, trueWord)) return yes;
    return length === falseWord.length && isWordAt(bytes, begin, falseWord) ? no : undefined;
  };
}

/** White space and references are looked at closely. */
function readScalar(read: (text: string) => Value | undefined, fixedOf: (value: Value) => Fixed): Read {
  return ({ bytes, begins, ends, references }, child) => {
    if (references[child] === 1) return undefined;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
      'utf8',
      begins[child],
      ends[child],
    );
    const value = read(text);
    if (value === undefined) return undefined;
    return value === text ? 'text' : fixedOf(value);
  };
}

/** Writes records to pages from their bytes. */
class ByteRows {
  readonly #children: readonly Child[];
  readonly #cells: readonly Cell[];
  readonly #first: number | undefined;
  readonly #end: Uint8Array;
  /** Index of the child that is the Id; -1 when there is none. */
  readonly #id: number;
  readonly #keeps: Keeping['keeps'] | undefined;
  /** Indexes of the children that it may look at. */
  readonly #asked: readonly number[];
  /** Bytes of a row beside its texts, at most. */
  readonly #beside: number;
  /** How often a text is shown, at most. */
  readonly #times: number;
  readonly #room = contentRoom(mostContent);
  readonly #content = new ByteWriter(this.#room.bytes);
  readonly #row = new ByteWriter();
  /** For each child of the record at hand: where its text is in the content, -1 for none. */
  readonly #starts: Int32Array;
  readonly #stops: Int32Array;
  /** What it is instead. */
  readonly #fixed: (Fixed | undefined)[];

  constructor(members: readonly ByteMember[], layout: RowLayout, { keeps, looksAt }: Partial<Keeping> = {}) {
    this.#keeps = keeps;
    this.#asked = [...members.keys()].filter((child) => looksAt?.has(members[child]?.name ?? '') !== false);
    this.#cells = layout.cells.map((cell) => cellOf(cell, members));
    this.#children = members.map(({ name, ways, isRequired }) => ({
      name,
      isRequired,
      reads: ways.map((form) => readerOf(form, (value) => fixedOf(layout, name, value))),
      before: bytesOf(beforeText(name)),
    }));
    this.#first = layout.first?.charCodeAt(0);
    this.#end = bytesOf(layout.end);
    this.#id = members.findIndex(({ name }) => name === 'Id');
    this.#beside = this.#end.length + this.#cells.reduce((sum, cell) => sum + mostExtraBytes(cell), 0);
    this.#times = Math.max(1, ...members.map((_, child) => this.#cells.filter((cell) => cell.child === child).length));
    this.#starts = new Int32Array(members.length);
    this.#stops = new Int32Array(members.length);
    this.#fixed = members.map(() => undefined);
  }

  get hasId(): boolean {
    return this.#id !== -1;
  }

  /** Adds the row of an element to a page, of no text when it is not kept; undefined for one that is needed as a record. */
  take(element: FlatBytes, page: RenderedPage): number | undefined {
    if (!this.#writeContent(element)) return undefined;
    const from = this.#starts[this.#id] ?? -1;
    if (from === -1) return undefined;
    const isSelected = this.#keeps?.(this.#recordOf(this.#asked)) !== false;
    if (isSelected && !this.#writeRow(page)) return undefined;
    const id = { from, to: this.#stops[this.#id] ?? from };
    const record = page.asksForRecord ? this.#recordOf(this.#children.keys()) : undefined;
    return page.addWritten(isSelected ? this.#row.at : page.length, this.#room, {
      length: this.#content.at,
      id,
      record,
    });
  }

  #recordOf(children: Iterable<number>): RecordValue {
    const record: Record<string, Value> = {};
    for (const index of children) {
      const start = this.#starts[index] ?? -1;
      const value = start === -1 ? this.#fixed[index]?.value : this.#textAt(index);
      if (value !== undefined) record[this.#children[index]?.name ?? ''] = value;
    }
    return record;
  }

  #textAt(child: number): string {
    return this.#content.bytes.toString('utf8', this.#starts[child], this.#stops[child]);
  }

  /** Writes the content of an element, with the places of its texts; false when a record is needed. */
  #writeContent(element: FlatBytes): boolean {
    const children = this.#children;
    this.#content.at = 0;
    for (let index = 0; index < children.length; index += 1) {
      const child = children[index];
      const read = child?.reads[element.forms[index] ?? -1];
      this.#starts[index] = -1;
      this.#fixed[index] = undefined;
      if (child === undefined || (read === undefined && child.isRequired)) return false;
      if (read !== undefined && !this.#writeMember(element, index, read(element, index))) return false;
    }
    this.#content.put(endOfContent);
    return true;
  }

  #writeMember(element: FlatBytes, index: number, meaning: Meaning): boolean {
    if (meaning === 'text') return this.#writeText(element, index);
    if (meaning === undefined || this.#content.at + meaning.content.length >= mostContent) return false;
    this.#fixed[index] = meaning;
    this.#content.put(meaning.content);
    return true;
  }

  #writeText({ bytes, begins, ends, references }: FlatBytes, index: number): boolean {
    const content = this.#content;
    const before = this.#children[index]?.before ?? noBytes;
    const begin = begins[index] ?? 0;
    const end = ends[index] ?? 0;
    if (content.at + before.length + (end - begin) >= mostContent) return false;
    content.put(before);
    this.#starts[index] = content.at;
    if (references[index] !== 1) content.copy(bytes, begin, end);
    else if (!content.copyDecoded(bytes, begin, end)) return false;
    this.#stops[index] = content.at;
    return true;
  }

  /** Writes the row behind the others of the page; false when it has no cells. */
  #writeRow(page: RenderedPage): boolean {
    const row = this.#row;
    const cells = this.#cells;
    row.at = page.length;
    this.#makeRoom(page, 0);
    for (let index = 0; index < cells.length; index += 1) {
      const cell = cells[index];
      if (cell === undefined) break;
      if ((this.#starts[cell.child] ?? -1) === -1) this.#writeFixed(page, cell, index);
      else if (!this.#copyText(cell)) this.#writeMade(page, cell);
    }
    if (this.#first !== undefined) {
      if (row.at === page.length) return false;
      row.bytes[page.length] = this.#first;
    }
    row.put(this.#end);
    return true;
  }

  /** Room for so many bytes, and for all that may come behind them as it stands in the content. */
  #makeRoom(page: RenderedPage, bytes: number): void {
    this.#row.bytes = page.roomFor(this.#row.at + bytes + this.#content.at * this.#times + this.#beside);
  }

  #writeFixed(page: RenderedPage, cell: Cell, index: number): void {
    const fixed = this.#fixed[cell.child];
    const bytes = fixed === undefined ? cell.absent : fixed.cells[index];
    if (bytes === undefined) return;
    this.#makeRoom(page, bytes.length);
    this.#row.put(cell.before);
    this.#row.put(bytes);
  }

  /** Writes the cell of a text as it is; false, and nothing, when its text has to be made. */
  #copyText(cell: Cell): boolean {
    const begin = this.#starts[cell.child] ?? 0;
    const end = this.#stops[cell.child] ?? 0;
    if (cell.odd === undefined || (begin === end && cell.empty === undefined)) return false;
    const row = this.#row;
    const { at } = row;
    row.put(cell.before);
    if (begin === end) {
      row.put(cell.empty ?? noBytes);
      return true;
    }
    row.put(cell.around);
    const isCopied = row.copyPlain(this.#content.bytes, { begin, end }, cell.odd);
    if (isCopied) row.put(cell.around);
    else row.at = at;
    return isCopied;
  }

  #writeMade(page: RenderedPage, cell: Cell): void {
    const row = this.#row;
    const text = cell.of(this.#textAt(cell.child));
    if (text === undefined) return;
    this.#makeRoom(page, text.length * 3);
    row.put(cell.before);
    row.at += row.bytes.write(text, row.at, 'utf8');
  }
}

const mostExtraBytes = ({ before, around, absent, empty }: Cell): number =>
  before.length + around.length * 2 + (absent?.length ?? 0) + (empty?.length ?? 0);

const cellOf = ({ member, before, of, copy }: CellLayout, members: readonly ByteMember[]): Cell => ({
  child: members.findIndex(({ name }) => name === member),
  before: bytesOf(before),
  of,
  around: bytesOf(copy?.around ?? ''),
  odd: copy?.odd,
  absent: maybeBytes(of(undefined)),
  empty: maybeBytes(of('')),
});

const fixedOf = ({ cells }: RowLayout, name: string, value: Value): Fixed => ({
  value,
  content: bytesOf(memberText(name, value)),
  cells: cells.map(({ member, of }) => (member === name ? maybeBytes(of(value)) : undefined)),
});

type Members = readonly ByteMember[];

/** What tells members of one list from others of it: a member has the same type in all of them. */
const signatureOf = (members: Members): string =>
  JSON.stringify(
    members.map(({ name, ways }) => [name, ...ways.map((form) => [form.kind, 'value' in form && form.value])]),
  );

/**
 * Makes what writes the records of one list to a page from their bytes: what `row` of the format gives for the same
 * records, with the same hash of their content. It gives undefined where they have no Id, or no layout.
 * @param keeping the records that have rows; all when left out
 */
export function byteRendering(
  layoutOf: (members: readonly string[]) => RowLayout | undefined,
  keeping?: Keeping,
): (members: Members) => WriteBytes | undefined {
  // Each page comes with the same ones.
  const known = new Map<string, ByteRows | undefined>();
  const made = (members: Members): ByteRows | undefined => {
    const layout = layoutOf(members.map(({ name }) => name));
    const rows = layout && new ByteRows(members, layout, keeping);
    return rows?.hasId === true ? rows : undefined;
  };
  return (members) => {
    const signature = signatureOf(members);
    if (!known.has(signature)) known.set(signature, made(members));
    const rows = known.get(signature);
    return rows && ((element, page) => rows.take(element, page));
  };
}
