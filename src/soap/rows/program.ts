import { beforeNumber, beforeText, contentEnd, memberText } from '../../core/values/content-hash.js';
import type { CellLayout, CopiedTexts, RowLayout, Value } from '../../core/values/value.js';
import type { ElementChild, ElementForm, ElementTemplate } from '../../xml/events.js';
import { programOffset } from './kernel.js';

/**
 * What the text of a member may be, where its element has one form, as the texts that stand for themselves: `text` is any,
 * `number` is a number between two bounds. `blank`: a value, where nothing but white space is there; `boolean`: true and
 * false, in words or digits; `close`: what has to be looked at closely, as has all that fits none of these.
 */
export type MemberForm =
  | { readonly kind: 'text' | 'guid' | 'boolean' | 'integer' | 'decimal' | 'time' | 'close' }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'blank'; readonly value: Value };

/** A member of records: the child of the template at the same index. */
export interface RowMember {
  readonly name: string;
  /** By the forms of the child. */
  readonly forms: readonly MemberForm[];
  readonly isRequired: boolean;
}

/** Bytes that the memory has for a program. */
const mostBytes = 0x10000;
/** Bytes of its head: words, and the table of bytes that are escaped. */
const headBytes = 192;
const oddOffsets = { low: 128, high: 144 } as const;

// The words of the head, as record.assembly.ts and kernel.assembly.ts read them.
const head = {
  ...{ steps: 0, stepsAt: 1, last: 2, content: 4, cells: 6, cellsAt: 7, first: 8, ending: 9, id: 11 },
  ...{ elements: 12, hasFeed: 13, wrap: 14, table: 15, escapes: 16, hasHigh: 17, ranges: 18, rangeCount: 19 },
  ...{ beside: 20, times: 21 },
} as const;

const kinds = {
  ...{ close: 0, text: 1, guid: 2, blank: 3, boolean: 4, number: 5, integer: 6, decimal: 7, time: 8, word: 9 },
} as const;

/** Place and length of a literal; -1 is the length of none. */
type Literal = readonly [place: number, length: number];
const noLiteral: Literal = [0, -1];

/** Writes a program: words of 32 bits, and the literals that they point to. */
class Assembler {
  readonly bytes = Buffer.alloc(mostBytes);
  #at = headBytes;
  readonly #known = new Map<string, Literal>();

  get length(): number {
    return this.#at;
  }

  literal(text: string): Literal {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const literal = this.#put(Buffer.from(text, 'utf8'));
    this.#known.set(text, literal);
    return literal;
  }

  maybe(text: string | undefined): Literal {
    return text === undefined ? noLiteral : this.literal(text);
  }

  table(words: readonly number[]): number {
    this.#at = Math.ceil(this.#at / 8) * 8;
    return this.#put(Buffer.from(Int32Array.from(words).buffer))[0];
  }

  data(bytes: Uint8Array): number {
    return this.#put(bytes)[0];
  }

  head(name: keyof typeof head, ...words: readonly number[]): void {
    for (const [index, word] of words.entries()) this.bytes.writeInt32LE(word, (head[name] + index) * 4);
  }

  #put(bytes: Uint8Array): Literal {
    const at = this.#at;
    if (at + bytes.length > mostBytes) throw new RangeError('a program without room');
    this.bytes.set(bytes, at);
    this.#at += bytes.length;
    return [programOffset + at, bytes.length];
  }
}

const valuesOf = ({ forms }: RowMember): readonly Value[] =>
  forms.flatMap((form) => (form.kind === 'blank' ? [form.value] : form.kind === 'boolean' ? [true, false] : []));

/** The words of a form, as takeForm reads them; `first` is the number of its first value among those of the member. */
function formWords(
  made: Assembler,
  form: MemberForm,
  { name, first, close }: { readonly name: string; readonly first: number; readonly close: Literal },
): readonly number[] {
  const contentOf = (value: Value): Literal => made.literal(memberText(name, value));
  const before = made.literal(form.kind === 'number' ? beforeNumber(name) : beforeText(name));
  const facts = (one: number, other: number): readonly number[] => [...close, kinds[form.kind], one, other];
  const rest = [close[1] === 0 ? 1 : 0, ...before];
  switch (form.kind) {
    case 'blank':
      return [...facts(first, 0), ...rest, ...contentOf(form.value), 0, 0, 0, 0];
    case 'boolean':
      return [...facts(first, first + 1), ...rest, ...contentOf(true), ...contentOf(false), 0, 0];
    case 'number':
      return [...facts(form.least, form.most), ...rest, 0, 0, 0, 0, 0, 0];
    case 'word': {
      const words = form.words.flatMap((each) => [...made.literal(each)]);
      return [...facts(made.table([form.words.length, ...words]), 0), ...rest, 0, 0, 0, 0, 0, 0];
    }
    default:
      return [...facts(0, 0), ...rest, 0, 0, 0, 0, 0, 0];
  }
}

/** The forms of a child, as takeChoice reads them. */
function formsAt(made: Assembler, { raw, forms }: ElementChild, { name, forms: ways }: RowMember): number {
  const words: number[] = [];
  let first = 0;
  for (const [index, { literal, isEmpty }] of forms.entries()) {
    const form = ways[index] ?? { kind: 'close' };
    const close = isEmpty ? ([0, 0] as const) : made.literal(`</${raw}>`);
    words.push(...made.literal(literal), ...formWords(made, form, { name, first, close }));
    first += form.kind === 'blank' ? 1 : form.kind === 'boolean' ? 2 : 0;
  }
  return made.table(words);
}

/** The only form of a child that is always there: it belongs to what stands before the text. */
const sureForm = ({ forms, isOptional }: ElementChild): ElementForm | undefined =>
  forms.length === 1 && !isOptional ? forms[0] : undefined;

/** Writes the steps by which a record is read to its content. */
function putSteps(made: Assembler, template: ElementTemplate, members: readonly RowMember[]): void {
  const steps: number[] = [];
  let before = template.head;
  for (const [index, child] of template.children.entries()) {
    const member = members[index];
    if (member === undefined) continue;
    const sure = sureForm(child);
    before += sure?.literal ?? '';
    const facts = [index, child.forms.length, child.isOptional && !member.isRequired ? 1 : 0];
    steps.push(...made.literal(before), ...facts, formsAt(made, child, member), sure === undefined ? 0 : 1, 0);
    before = sure?.isEmpty === false ? `</${child.raw}>` : '';
  }
  made.head('steps', steps.length / 8, made.table(steps));
  made.head('last', ...made.literal(before + template.tail));
  made.head('content', ...made.literal(contentEnd));
}

/** Writes what is counted of each record. */
function putCounts(made: Assembler, { head, children, tail }: ElementTemplate): void {
  const literals = children.flatMap(({ forms }) => forms.map(({ literal }) => literal));
  made.head('hasFeed', [head, ...literals, tail].some((text) => text.includes('\n')) ? 1 : 0);
  made.head('elements', 1 + children.length);
}

const hasText = ({ forms }: RowMember): boolean =>
  forms.some(({ kind }) => kind !== 'blank' && kind !== 'boolean' && kind !== 'close');

/** The words of a cell, as putRow reads them; undefined for one whose text is made by the format. */
function cellWords(
  made: Assembler,
  { member: name, before, of, isCopied }: CellLayout,
  { members, around }: { readonly members: readonly RowMember[]; readonly around: string },
): readonly number[] | undefined {
  const withBefore = (cell: string | undefined): Literal => made.maybe(cell === undefined ? undefined : before + cell);
  const index = members.findIndex((member) => member.name === name);
  const member = members[index];
  if (member === undefined)
    return [-1, ...withBefore(of(undefined)).map((word) => Math.max(0, word)), ...Array.from({ length: 13 }, () => 0)];
  if (hasText(member) && !isCopied) return undefined;
  const values = made.table(valuesOf(member).flatMap((value) => [...withBefore(of(value))]));
  const edge = member.forms.some(({ kind }) => kind === 'number') ? '' : around;
  const texts = [...made.literal(before + edge), ...made.literal(edge), ...withBefore(of(''))];
  return [index, 0, 0, 0, ...texts, ...withBefore(of(undefined)), values, 0, 0, 0];
}

/** Bytes of a cell beside its text, or in the place of it, at most. */
function mostBeside({ member: name, before, of }: CellLayout, members: readonly RowMember[], around: string): number {
  const values = members.filter((member) => member.name === name).flatMap(valuesOf);
  const lengths = [undefined, '', ...values].map((value) => Buffer.byteLength(of(value) ?? ''));
  return Buffer.byteLength(before) + Buffer.byteLength(around) * 2 + Math.max(...lengths);
}

/** Writes which bytes are escaped, and how. */
function putEscapes(made: Assembler, { wrap, escapes, outside }: CopiedTexts): void {
  const [low, high] = [Buffer.alloc(16), Buffer.from([1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0])];
  const table = Buffer.alloc(256);
  const entries: Buffer[] = [Buffer.alloc(8)];
  const mark = (byte: number, escape: number): void => {
    table[byte] = escape;
    if (byte < 0x80) low[byte & 15] = (low[byte & 15] ?? 0) | (1 << (byte >> 4));
  };
  for (const [character, text] of Object.entries(escapes)) {
    const entry = Buffer.alloc(8);
    entry[0] = entry.write(text, 1, 'latin1');
    mark(character.charCodeAt(0), entries.push(entry) - 1);
  }
  // The bytes with which such characters begin.
  const leadOf = (code: number): number => Buffer.from(String.fromCodePoint(code))[0] ?? 0;
  for (const [first, last] of outside)
    for (let lead = leadOf(first); lead <= leadOf(last); lead += 1) if (lead < 0x80 || lead > 0xbf) mark(lead, 0xff);
  made.bytes.set(low, oddOffsets.low);
  made.bytes.set(high, oddOffsets.high);
  made.head('wrap', wrap.charCodeAt(0) || 0);
  made.head('table', made.data(table));
  made.head('escapes', made.data(Buffer.concat(entries)));
  made.head('hasHigh', outside.length > 0 ? 1 : 0);
  made.head('ranges', made.table(outside.flat()), outside.length);
}

const noTexts: CopiedTexts = { around: '', wrap: '', escapes: {}, outside: [] };

/** Writes how a row is put together; false where a cell is made by the format. */
function putRow(
  made: Assembler,
  { cells, copied = noTexts, first, end }: RowLayout,
  members: readonly RowMember[],
): boolean {
  const words = cells.map((cell) => cellWords(made, cell, { members, around: copied.around }));
  if (words.includes(undefined)) return false;
  putEscapes(made, copied);
  made.head('cells', cells.length, made.table(words.flatMap((cell) => cell ?? [])));
  made.head('first', first?.charCodeAt(0) ?? 0);
  made.head('ending', ...made.literal(end));
  made.head('beside', end.length * 3 + cells.reduce((sum, cell) => sum + mostBeside(cell, members, copied.around), 0));
  made.head('times', Math.max(1, ...members.map(({ name }) => cells.filter(({ member }) => member === name).length)));
  return true;
}

/**
 * The program by which the kernel takes records of a template and writes their rows; undefined where it cannot.
 * @param id member that is the Id, where those are wanted
 */
export function programFor(
  template: ElementTemplate,
  members: readonly RowMember[],
  { layout, id }: { readonly layout: RowLayout; readonly id?: string },
): Uint8Array | undefined {
  const made = new Assembler();
  try {
    putSteps(made, template, members);
    putCounts(made, template);
    if (!putRow(made, layout, members)) return undefined;
    made.head('id', id === undefined ? -1 : members.findIndex(({ name }) => name === id));
    return made.bytes.subarray(0, made.length);
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}
