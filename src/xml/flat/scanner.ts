import type { FlatBytes, FlatShape } from '../events.js';
import type { Tag } from '../tags.js';

const noMatch = -1;
export const cutOff = -2;

const slots = 256;
/** What a byte within a text means to the scanner; all others are plain. */
const meaning = { end: 1, reference: 2, odd: 3, bracket: 4, feed: 5, trailing: 6, surrogates: 7, special: 8 } as const;
const meanings = new Uint8Array(slots);
meanings.fill(meaning.odd, 0, 0x20);
meanings[0x09] = 0;
meanings[0x0a] = meaning.feed;
meanings[0x26] = meaning.reference;
meanings[0x3c] = meaning.end;
meanings[0x3e] = meaning.bracket;
meanings.fill(meaning.trailing, 0x80, 0xc0);
meanings[0xef] = meaning.special;
meanings.fill(meaning.surrogates, 0xf0);

/** Text that stands as it is, ready to be compared four bytes at a time. */
interface Literal {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

interface ByteForm {
  /** White space before the tag, and the tag. */
  readonly open: Literal;
  /** The end tag; undefined for a tag that has none. */
  readonly close: Literal | undefined;
}

/** A child with its forms, behind text that is sure. */
interface Step {
  readonly before: Literal;
  readonly child: number;
  /** Undefined for a child that is there in one form: then its start tag belongs to the text before it. */
  readonly forms: readonly ByteForm[] | undefined;
  readonly isOptional: boolean;
}

/** A child as it stood: white space before it and its tag, to the character. */
export interface Form {
  readonly literal: string;
  readonly tag: Tag;
}

/** A child of a template. */
export interface Child {
  readonly raw: string;
  readonly forms: readonly Form[];
  readonly isOptional: boolean;
}

/** What was seen of elements with one start tag. */
export interface Template {
  readonly head: string;
  readonly children: readonly Child[];
  /** White space and the end tag. */
  readonly tail: string;
}

function literalOf(text: string): Literal {
  const bytes = Uint8Array.from(Buffer.from(text, 'latin1'));
  const view = new DataView(bytes.buffer);
  const words = Uint32Array.from({ length: bytes.length >> 2 }, (_, word) => view.getUint32(word * 4, true));
  return { bytes, words };
}

/** The steps of an element, and what stands behind the last one. */
function stepsOf({ head, children, tail }: Template): { readonly steps: readonly Step[]; readonly last: Literal } {
  const steps: Step[] = [];
  let before = head;
  for (const [child, { forms, isOptional }] of children.entries()) {
    const [first] = forms;
    const isSure = forms.length === 1 && !isOptional && first !== undefined;
    if (isSure) before += first.literal;
    if (isSure && first.tag.isEmpty) continue;
    const choices = forms.map(({ literal, tag }) => ({
      open: literalOf(literal),
      close: tag.isEmpty ? undefined : literalOf(`</${tag.raw}>`),
    }));
    steps.push({ before: literalOf(before), child, forms: isSure ? undefined : choices, isOptional });
    before = isSure ? `</${first.tag.raw}>` : '';
  }
  return { steps, last: literalOf(before + tail) };
}

const isPlain = (text: string): boolean => /^[\t\n\x20-\x7e]*$/.test(text);

const textsOf = ({ head, children, tail }: Template): string =>
  head + children.flatMap(({ forms }) => forms.map(({ literal }) => literal)).join('') + tail;

/**
 * Finds flat elements in bytes of UTF-8, without making text of them. It takes what the expression for the same element
 * takes, but for characters that must not stand in a document and `]]>`, which are found when the text is read.
 */
export class FlatScanner implements FlatBytes {
  readonly shape: FlatShape;
  readonly forms: Int32Array;
  readonly begins: Int32Array;
  readonly ends: Int32Array;
  readonly references: Uint8Array;
  bytes: Uint8Array = new Uint8Array(0);
  /** Elements that the one found last is and holds. */
  count = 0;
  units = 0;
  hasFeed = false;
  readonly #steps: readonly Step[];
  readonly #last: Literal;
  readonly #hasFeed: boolean;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #end = 0;
  /** UTF-16 units that the text found last has less than bytes. */
  #extra = 0;

  private constructor(shape: FlatShape, text: Template) {
    const { length } = text.children;
    const { steps, last } = stepsOf(text);
    this.shape = shape;
    // What is sure to be there and has no text stays so.
    this.forms = new Int32Array(length);
    this.begins = new Int32Array(length);
    this.ends = new Int32Array(length);
    this.references = new Uint8Array(length);
    this.#steps = steps;
    this.#last = last;
    this.#hasFeed = textsOf(text).includes('\n');
  }

  /** A scanner for elements of a shape; undefined when their names are not plain. */
  static of(shape: FlatShape, text: Template): FlatScanner | undefined {
    return isPlain(textsOf(text)) ? new FlatScanner(shape, text) : undefined;
  }

  /** Takes the bytes in which elements are looked for, up to an index; they are whole characters. */
  begin(bytes: Uint8Array, end: number): void {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = end;
  }

  /** Looks for an element at an index. Gives the index behind it, `noMatch`, or `cutOff` where it may go on. */
  scan(at: number): number {
    this.#extra = 0;
    this.hasFeed = this.#hasFeed;
    this.count = 1 + this.forms.length;
    const steps = this.#steps;
    let next = at;
    for (let index = 0; index < steps.length; index += 1) {
      const step = steps[index];
      if (step === undefined) break;
      next = this.#expect(next, step.before);
      if (next < 0) return next;
      next = step.forms === undefined ? this.#text(step.child, next) : this.#choice(step.child, step, next);
      if (next < 0) return next;
    }
    next = this.#expect(next, this.#last);
    this.units = next - at - this.#extra;
    return next;
  }

  /** Takes a child that may have one of some forms, or be absent. */
  #choice(child: number, { forms = [], isOptional }: Step, at: number): number {
    for (let form = 0; form < forms.length; form += 1) {
      const byteForm = forms[form];
      if (byteForm === undefined) break;
      const begin = this.#expect(at, byteForm.open);
      if (begin === noMatch) continue;
      if (begin < 0) return begin;
      this.forms[child] = form;
      this.begins[child] = begin;
      this.ends[child] = begin;
      this.references[child] = 0;
      if (byteForm.close === undefined) return begin;
      const stop = this.#text(child, begin);
      return stop < 0 ? stop : this.#expect(stop, byteForm.close);
    }
    this.forms[child] = -1;
    this.begins[child] = 0;
    this.ends[child] = 0;
    this.references[child] = 0;
    this.count -= 1;
    return isOptional ? at : noMatch;
  }

  /** Takes the text of a child; gives the index of the `<` behind it. */
  #text(child: number, begin: number): number {
    const { bytes } = this;
    const end = this.#end;
    this.begins[child] = begin;
    this.references[child] = 0;
    for (let at = begin; at < end; at += 1) {
      const found = meanings[bytes[at] ?? 0] ?? 0;
      if (found === 0) continue;
      if (found === meaning.end) {
        this.ends[child] = at;
        return at;
      }
      if (found === meaning.trailing) this.#extra += 1;
      else if (!this.#isUsual(child, at, found)) return noMatch;
    }
    return cutOff;
  }

  /** The index behind a text that stands at an index, `noMatch`, or `cutOff` when the bytes end within it. */
  #expect(at: number, { bytes, words }: Literal): number {
    const { length } = bytes;
    if (at + length > this.#end) return this.#expectCut(at, bytes);
    const view = this.#view;
    for (let word = 0; word < words.length; word += 1)
      if (view.getUint32(at + word * 4, true) !== words[word]) return noMatch;
    for (let index = words.length * 4; index < length; index += 1)
      if (view.getUint8(at + index) !== bytes[index]) return noMatch;
    return at + length;
  }

  #expectCut(at: number, text: Uint8Array): number {
    for (let index = 0; at + index < this.#end; index += 1) if (this.bytes[at + index] !== text[index]) return noMatch;
    return cutOff;
  }

  /** Looks at a byte that is not plain; false when the text has to be read as text. */
  #isUsual(child: number, at: number, end: number): boolean {
    const { bytes } = this;
    switch (end) {
      case meaning.reference:
        this.references[child] = 1;
        return true;
      case meaning.feed:
        this.hasFeed = true;
        return true;
      case meaning.bracket:
        return bytes[at - 1] !== 0x5d || bytes[at - 2] !== 0x5d;
      case meaning.surrogates:
        // A pair of units for four bytes.
        this.#extra -= 1;
        return true;
      case meaning.special:
        // U+FFFE and U+FFFF.
        return bytes[at + 1] !== 0xbf || (bytes[at + 2] ?? 0) < 0xbe;
      default:
        return false;
    }
  }
}
