import type { Value, RecordValue } from '../../core/values/value.js';
import { badAnswer, type RelctlError } from '../../core/errors/relctl-error.js';
import { append, isXmlSpace, withoutEnds } from '../../core/text/text.js';
import { tooMuch, type Located, type Note, type NoteCollector } from './notes.js';
import type { LeafNode, Slot } from './decode-plan.js';
import type { Rows } from './rows.js';

/**
 * Takes the text of one member as it is read, so that it is never in memory as a whole. It does not learn how the document
 * ends: its text is valid only when that was read to its end.
 */
export interface TextSink {
  /** Path of the member: `Attachment.Base64EncodedFile`. */
  readonly path: string;
  /** The member begins; gives the members of its record that came before it. */
  begin(before: RecordValue): void;
  text(piece: string): void;
  /** Called at the end of the member; gives the value that the record holds for it. */
  end(): string;
}

/** Takes the text of one member of an answer as it arrives. What it throws ends the call. */
export interface ContentSink extends TextSink {
  /** Called when an attempt begins: the text of the one before is void. */
  restart(): void;
  /** Resolves when it can take more; awaited after each chunk of the answer. */
  ready(): Promise<void>;
}

/** What a decoder needs beside its plan. */
export interface DecoderOptions {
  readonly notes: NoteCollector;
  /** It is an answer: an item of a list that is none of its records is refused, and so are elements in the text of a sink. */
  readonly isResult?: boolean;
  /** Namespace that every known element must have. */
  readonly namespace: string;
  readonly namespaceOf: (prefix: string) => string | undefined;
  /** Takes the text of one member in the place of the record. */
  readonly sink?: TextSink;
  /** What becomes of the records of one list of the result. */
  readonly rows?: Rows | undefined;
  /** Member of a result whose element the document does not name. */
  readonly unnamed?: string;
}

/** Longest text of one value that is kept in memory, in UTF-16 units. A file of any size goes past it, to its sink. */
const longestText = 16 * 1024 * 1024;

function tooLong(at: Located): RelctlError {
  return tooMuch(
    at.path,
    `has more than ${longestText} characters`,
    'No value of an answer may be longer, but the content of a file: `attachment get ID --output-dir .` saves one of any size.',
  );
}

/** Most characters of all texts of an item of the outermost list, as a row of an input file may have. */
const longestRow = 32 * 1024 * 1024;

const mostQuoted = 80;

const pieceLength = 256 * 1024;

const blank = /^[ \t\n\r]*$/;

/** True for text of nothing but white space. */
export const isBlank = (text: string): boolean => blank.test(text);

// the control characters that .NET services send as references
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** True for text that holds control characters. */
export const hasControls = (text: string): boolean => control.test(text);

/** A text without white space at its ends. */
export const trimmed = (text: string): string => withoutEnds(text, isXmlSpace);

/** The element that holds it. */
interface Holder {
  readonly value: Record<string, Value>;
  pathTo(name: string): string;
  store(slot: Slot | undefined, name: string, value: Value): void;
}

/**
 * The innermost element, where it is a scalar: its text is the value, or goes to a sink. One object serves for all of a
 * document: an object for each takes a tenth of the time.
 */
export class Leaf<H extends Holder> {
  /** Undefined while none is open. */
  slot: Slot | undefined;
  readonly #options: DecoderOptions;
  #node: LeafNode | undefined;
  #up: H | undefined;
  #isNil = false;
  #sink: TextSink | undefined;
  /** Its text: a long one is kept in pieces, which are put together once. */
  #before = '';
  #last = '';
  /** Characters of the texts of the item of the outermost list; undefined outside of lists. */
  #row: number | undefined;

  constructor(options: DecoderOptions) {
    this.#options = options;
  }

  get path(): string {
    return this.#up?.pathTo(this.slot?.name ?? '') ?? '';
  }

  begin(up: H, { slot, isNil }: { readonly slot: Slot; readonly isNil: boolean }, node: LeafNode): void {
    this.slot = slot;
    this.#isNil = isNil;
    this.#node = node;
    // Most often the same record; to write a young object into an old one takes time.
    if (this.#up !== up) this.#up = up;
    this.#before = '';
    this.#last = '';
    const { sink } = this.#options;
    this.#sink = sink !== undefined && sink.path === this.path ? sink : undefined;
    this.#sink?.begin(up.value);
  }

  /** An item of the outermost list begins. */
  beginRow(): void {
    this.#row = 0;
  }

  /** Adds to the text. Throws `bad-answer` (answer-limit) when it, or its row, gets too long. */
  text(text: string): void {
    if (this.#sink !== undefined) {
      this.#sinkText(this.#sink, text);
      return;
    }
    this.#count(text, this);
    if (this.#before.length + this.#last.length + text.length > longestText) throw tooLong(this);
    this.#last = this.#last === '' ? text : append(this.#last, text);
    if (this.#last.length < pieceLength) return;
    this.#before += this.#last;
    this.#last = '';
  }

  /** A text around elements with what follows it. Throws as `text` does. */
  within(text: string, more: string, at: Located): string {
    this.#count(more, at);
    if (text.length + more.length > longestText) throw tooLong(at);
    return text === '' ? more : append(text, more);
  }

  /** Stores the value in the element around it. */
  end(): void {
    const { slot } = this;
    const [up, node] = [this.#up, this.#node];
    if (up === undefined || slot === undefined || node === undefined) return;
    const value = this.#value(node);
    this.slot = undefined;
    up.store(slot, slot.name, value);
  }

  /**
   * How the tree begins that the whole becomes when an element comes within a text. Text that went to a sink cannot: an answer
   * is refused, with `bad-answer`, a request for the note.
   */
  interrupt(): {
    readonly up: H | undefined;
    readonly name: string;
    readonly slot: Slot | undefined;
    readonly isNil: boolean;
    readonly text: string;
  } {
    const { path, slot } = this;
    if (this.#sink !== undefined && this.#options.isResult === true)
      throw badAnswer('base64', `${path} holds an element`, { path });
    this.#note('unexpected-elements');
    this.slot = undefined;
    return { up: this.#up, name: slot?.name ?? '', slot, isNil: this.#isNil, text: this.#take() };
  }

  #count(text: string, at: Located): void {
    if (this.#row === undefined || (this.#row += text.length) <= longestRow) return;
    throw tooMuch(
      at.path,
      `is in a record of more than ${longestRow} characters`,
      'A record of a list may not be longer: ask for it alone, where the service has an operation for that.',
    );
  }

  #sinkText(sink: TextSink, text: string): void {
    if (this.#options.isResult !== true && hasControls(text)) this.#note('control-character');
    sink.text(text);
    // How it begins: whether there was any is looked at later, and a note shows this.
    if (this.#last === '' && !isBlank(text))
      this.#last = text.length > mostQuoted ? `${text.slice(0, mostQuoted)}…` : text;
  }

  /** All of the text, which is held no longer: as one it is in memory for a second time. */
  #take(): string {
    const text = this.#before === '' ? this.#last : this.#before + this.#last;
    this.#before = '';
    this.#last = '';
    return text;
  }

  #value(node: LeafNode): Value {
    const inSink = this.#sink?.end();
    const text = this.#take();
    if (this.#isNil) {
      if (isBlank(text)) return null;
      this.#note('late-nil', text);
    }
    return inSink ?? this.#read(node, text);
  }

  /** What the text stands for; itself where it fits nothing. */
  #read({ scalar, read }: LeafNode, text: string): Value {
    if (scalar === 'string') {
      if (hasControls(text)) this.#note('control-character');
      return text;
    }
    // In a request white space counts in the values of an enumeration, as their schema has them; in an answer it does no harm.
    const isExact = scalar === undefined && this.#options.isResult !== true;
    const value = read(text) ?? (isExact ? undefined : read(trimmed(text)));
    if (value === undefined) this.#note('bad-value', text);
    return value ?? text;
  }

  #note(kind: Note['kind'], value?: string): void {
    this.#options.notes.add(kind, this.path, value);
  }
}
