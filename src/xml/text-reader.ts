import { forMessage } from '../core/text/text.js';
import { replay, type Beginning, type BeginningRecorder, OpenElements, type Repeated } from './repeated.js';
import { checkDeclaration, type XmlDecoder } from './decoder.js';
import type { XmlEvents, XmlLimits, XmlName } from './events.js';
import { type Scope, instructionTarget, nameOfEnd, parseTag, tagEnd, type Tag } from './tags.js';
import { certainEnd, readBetween, unescapeText } from './escape.js';
import { badAnswer } from '../core/errors/relctl-error.js';
import type { TextPosition } from './position.js';

/** What a reader of text needs. */
export interface TextReaderOptions {
  readonly limits: XmlLimits;
  readonly decoder: XmlDecoder;
  readonly place: TextPosition;
  /** Called behind an element that is like those before it; true when the text behind it is not wanted as text. */
  readonly onRepeated: (repeated: Repeated) => boolean;
  /** Records the events at the beginning. */
  readonly beginning: BeginningRecorder | undefined;
}

/** A tag longer than this is refused: within it the text is scanned again with each chunk. */
const maxTagLength = 1024 * 1024;

type Mode = 'content' | 'comment' | 'cdata' | 'instruction';

/** Reads a document that was decoded, and tells what is in it. */
export class TextReader {
  readonly #events: XmlEvents;
  readonly #limits: XmlLimits;
  readonly #options: TextReaderOptions;
  #text = '';
  #at = 0;
  #mode: Mode = 'content';
  #isStart = true;
  #hasRoot = false;
  #holdsSectionEnd = false;
  #length = 0;
  #elements = 0;
  #open = new OpenElements();
  /** Scope of the element being opened, else of the innermost one. */
  #scope: Scope = this.#open.scope;
  #dropped = 0;
  #isLeaf = false;

  constructor(events: XmlEvents, options: TextReaderOptions) {
    this.#events = events;
    this.#options = options;
    this.#limits = options.limits;
  }

  /** The text that is used up, and the rest of it, as far as they are kept. */
  get used(): string {
    return this.#text.slice(0, this.#at);
  }

  get left(): string {
    return this.#text.slice(this.#at);
  }

  /** The elements that are open. */
  get open(): OpenElements {
    return this.#open;
  }

  get elementsLeft(): number {
    return this.#limits.maxElements - this.#elements;
  }

  namespaceOf(prefix: string): string | undefined {
    return this.#scope.uri(prefix);
  }

  /** Counts what was taken in another way: UTF-16 units, and elements. Throws `bad-answer` (xml-limit). */
  pass(units: number, elements: number): void {
    this.#elements += elements;
    this.#dropped += units;
    this.#count(units);
  }

  /** Forgets the text that is left, which counts as not read. */
  dropRest(): void {
    this.#length -= this.#text.length - this.#at;
    this.#text = this.used;
    this.#forget();
  }

  #count(units: number): void {
    this.#length += units;
    if (this.#length > this.#limits.maxLength)
      throw badAnswer('xml-limit', `longer than ${this.#limits.maxLength} characters`);
  }

  /** Reads a piece. Throws `bad-answer`. */
  take(more: string): void {
    this.#count(more.length);
    this.#forget();
    this.#text += more;
    this.#holdsSectionEnd = this.#text.includes(']]>');
    while (this.#at < this.#text.length && this.#step());
  }

  #forget(): void {
    this.#options.place.drop(this.#text.slice(0, this.#at));
    this.#dropped += this.#at;
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
  }

  /** Declares the end of the text. Throws `bad-answer` (xml-truncated). */
  finish(): void {
    const rest = this.#text.slice(this.#at);
    const inside = this.#open.innermost;
    if (inside !== undefined) throw badAnswer('xml-truncated', `the document ends within <${forMessage(inside.raw)}>`);
    if (this.#mode !== 'content' || rest.trim() !== '')
      throw badAnswer('xml-truncated', 'the document ends within a tag');
    if (!this.#hasRoot) throw badAnswer('xml-truncated', 'the document ends before its root element');
  }

  /** One token; false when more input is needed. */
  #step(): boolean {
    switch (this.#mode) {
      case 'content':
        return this.#text.charCodeAt(this.#at) === 0x3c ? this.#markup() : this.#characters();
      case 'comment':
        return this.#comment();
      case 'cdata':
        return this.#section();
      case 'instruction':
        return this.#instruction();
    }
  }

  #characters(): boolean {
    const next = this.#text.indexOf('<', this.#at);
    if (next === -1) return this.#partialCharacters();
    this.#emit(this.#text.slice(this.#at, next));
    this.#at = next;
    return true;
  }

  #partialCharacters(): boolean {
    const end = certainEnd(this.#text, this.#at);
    if (end > this.#at) this.#emit(this.#text.slice(this.#at, end));
    return this.#skipTo(end);
  }

  #emit(raw: string): void {
    this.#isStart = false;
    const isInside = this.#open.depth > 0;
    const read = isInside ? unescapeText(raw, this.#holdsSectionEnd) : readBetween(raw);
    if (typeof read !== 'string') {
      this.#at += read.offset;
      throw read.error;
    }
    if (!isInside) return;
    this.#options.beginning?.add({ kind: 'text', text: read, at: this.#dropped + this.#at });
    this.#events.text(read);
  }

  #markup(): boolean {
    const code = this.#text.charCodeAt(this.#at + 1);
    if (code === 0x2f) return this.#endTag();
    if (code === 0x21) return this.#declaration();
    if (code === 0x3f) return this.#beginInstruction();
    // NaN: the chunk ends behind the '<'.
    return !Number.isNaN(code) && this.#startTag();
  }

  #startTag(): boolean {
    const from = this.#at + 1;
    const quick = this.#text.indexOf('>', from);
    const known = quick === -1 ? undefined : this.#open.known(this.#text.slice(from, quick));
    if (known !== undefined) {
      this.#begin(known, quick);
      return true;
    }
    const end = tagEnd(this.#text, from);
    if (end === -1) return this.#awaitTag();
    const raw = this.#text.slice(from, end);
    const tag = parseTag(raw, this.#scope, this.#limits);
    if (tag.scope === this.#scope && end === quick) this.#open.store(raw, tag);
    this.#begin(tag, end);
    return true;
  }

  #awaitTag(): false {
    if (this.#text.length - this.#at > maxTagLength)
      throw badAnswer('xml-limit', `a tag longer than ${maxTagLength} characters`);
    return false;
  }

  #begin(tag: Tag, end: number): void {
    this.#isStart = false;
    if (this.#open.depth === 0 && this.#hasRoot)
      throw badAnswer('xml-malformed', `a second root element <${forMessage(tag.raw)}>`);
    this.#hasRoot = true;
    this.#elements += 1;
    if (this.#elements > this.#limits.maxElements)
      throw badAnswer('xml-limit', `more than ${this.#limits.maxElements} elements`);
    if (this.#open.depth >= this.#limits.maxDepth)
      throw badAnswer('xml-limit', `elements nested deeper than ${this.#limits.maxDepth}`);
    const begin = this.#dropped + this.#at;
    this.#at = end + 1;
    this.#isLeaf = !tag.isEmpty;
    this.#scope = tag.scope;
    this.#options.beginning?.add({ kind: 'open', tag, begin, at: this.#dropped + this.#at });
    this.#events.open(tag.name, tag.attributes);
    if (tag.isEmpty) {
      this.#reportClose(tag.name);
      this.#scope = this.#open.scope;
      return;
    }
    this.#open.push(tag, begin);
  }

  #endTag(): boolean {
    const tag = this.#open.innermost;
    const from = this.#at + 2;
    let end: number;
    if (
      tag !== undefined &&
      this.#text.startsWith(tag.raw, from) &&
      this.#text.charCodeAt(from + tag.raw.length) === 0x3e
    ) {
      end = from + tag.raw.length;
    } else {
      end = this.#text.indexOf('>', from);
      if (end === -1) return this.#awaitTag();
      const raw = nameOfEnd(this.#text.slice(from, end));
      if (raw !== tag?.raw)
        throw badAnswer('xml-malformed', `</${forMessage(raw)}> where ${expected(tag)} was expected`);
    }
    this.#at = end + 1;
    this.#close();
    return true;
  }

  #close(): void {
    const tag = this.#open.innermost;
    if (tag === undefined) return;
    this.#reportClose(tag.name);
    const begin = this.#open.pop();
    const isLeaf = this.#isLeaf;
    this.#isLeaf = false;
    if (begin === undefined) this.#scope = this.#open.scope;
    // Where no element may be, that shows tag by tag.
    if (begin === undefined || isLeaf || begin < this.#dropped || this.#open.depth + 1 >= this.#limits.maxDepth) return;
    const repeated = this.#events.elements && this.#open.learn(tag, this.#text.slice(begin - this.#dropped, this.#at));
    if (repeated !== undefined && this.#options.onRepeated(repeated)) this.dropRest();
  }

  #reportClose(name: XmlName): void {
    this.#options.beginning?.add({ kind: 'close', name, at: this.#dropped + this.#at });
    this.#events.close(name);
  }

  /** Goes on behind the text of another document's beginning, which this one has too. Throws as `take` does. */
  resume({ events, open, elements }: Beginning, text: string, repeated: Repeated): void {
    this.#options.beginning?.end();
    this.#count(text.length);
    this.#text = text;
    this.#isStart = false;
    this.#hasRoot = true;
    for (const each of events) {
      this.#at = each.at;
      replay(this.#events, each, (scope) => (this.#scope = scope));
    }
    this.#open = open.copy();
    this.#open.expect(repeated);
    this.#scope = this.#open.scope;
    this.#elements = elements;
    this.#at = text.length;
    this.#forget();
  }

  #declaration(): boolean {
    const head = this.#text.slice(this.#at, this.#at + 9);
    if (head.startsWith('<!--')) return this.#enter('comment', 4);
    if (head === '<!DOCTYPE') throw badAnswer('xml-doctype', 'document type declarations are refused');
    if (head === '<![CDATA[') {
      if (this.#open.depth === 0) throw badAnswer('xml-malformed', 'a CDATA section outside the root element');
      return this.#enter('cdata', 9);
    }
    if (head.length < 9 && ['<!--', '<![CDATA[', '<!DOCTYPE'].some((opening) => opening.startsWith(head))) return false;
    throw badAnswer('xml-malformed', `'${forMessage(head)}' is no markup`);
  }

  #enter(mode: Mode, length: number): true {
    this.#isStart = false;
    if (mode !== 'content') this.#options.beginning?.end();
    this.#mode = mode;
    this.#at += length;
    return true;
  }

  #comment(): boolean {
    const dashes = this.#text.indexOf('--', this.#at);
    // Also where the comment was cut, what is wrong in it is reported at its own place.
    this.#skipTo(dashes === -1 ? this.#text.length - 1 : dashes);
    if (dashes === -1 || dashes + 2 >= this.#text.length) return false;
    if (this.#text.charCodeAt(dashes + 2) !== 0x3e) throw badAnswer('xml-malformed', "'--' within a comment");
    this.#events.comment?.();
    return this.#leave(dashes + 3);
  }

  #section(): boolean {
    const end = this.#text.indexOf(']]>', this.#at);
    const until = end === -1 ? Math.max(this.#at, this.#text.length - 2) : end;
    if (until > this.#at) this.#events.text(this.#text.slice(this.#at, until));
    return end === -1 ? this.#skipTo(until) : this.#leave(end + 3);
  }

  #beginInstruction(): boolean {
    const target = instructionTarget(this.#text, this.#at, this.#limits.maxNameLength);
    if (target === undefined) return false;
    if (target.toLowerCase() !== 'xml') {
      this.#events.instruction?.(target);
      return this.#enter('instruction', 2 + target.length);
    }
    if (!this.#isStart || target !== 'xml')
      throw badAnswer('xml-malformed', 'an XML declaration that is not at the start');
    const close = this.#text.indexOf('?>', this.#at);
    if (close === -1) return this.#awaitTag();
    checkDeclaration(this.#text.slice(this.#at, close + 2), this.#options.decoder);
    return this.#enter('content', close + 2 - this.#at);
  }

  #instruction(): boolean {
    const end = this.#text.indexOf('?>', this.#at);
    return end === -1 ? this.#skipTo(this.#text.length - 1) : this.#leave(end + 2);
  }

  #leave(at: number): true {
    this.#mode = 'content';
    this.#at = at;
    return true;
  }

  #skipTo(at: number): false {
    this.#at = Math.max(this.#at, at);
    return false;
  }
}

const expected = (tag: Tag | undefined): string => (tag === undefined ? 'nothing' : `</${forMessage(tag.raw)}>`);
