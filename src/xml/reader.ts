import { visible } from '../lexical/text.js';
import { RelctlError } from '../errors/relctl-error.js';
import { XmlDecoder } from './decoder.js';
import type { XmlEvents, XmlLimits, XmlReader } from './events.js';
import { defaultLimits } from './limits.js';
import { parseName, Scope } from './names.js';
import { decodeReferences, longestReference } from './references.js';
import { refusal } from './refusals.js';
import { checkDeclaration } from './declaration.js';
import { parseTag, tagEnd, type Tag } from './tags.js';

/** What a reader may be told. */
export interface ReaderOptions {
  readonly limits?: Partial<XmlLimits>;
  /** Encoding by the HTTP header; without it the document is UTF-8, or UTF-16 with a byte order mark. */
  readonly charset?: string;
}

/** A tag longer than this is refused: within it the text is scanned again with each chunk. */
const maxTagLength = 1024 * 1024;
/** Tags kept in parsed form per scope; answers repeat few distinct ones. */
const maxKnownTags = 512;
const maxKnownTagLength = 200;

type Mode = 'content' | 'comment' | 'cdata' | 'instruction';

const openings = ['<!--', '<![CDATA[', '<!DOCTYPE'] as const;

class Reader implements XmlReader {
  readonly #events: XmlEvents;
  readonly #limits: XmlLimits;
  readonly #decoder: XmlDecoder;
  #text = '';
  #at = 0;
  #mode: Mode = 'content';
  #isStart = true;
  #hasRoot = false;
  #holdsSectionEnd = false;
  #length = 0;
  #elements = 0;
  #lines = 1;
  #columns = 0;
  readonly #open: Tag[] = [];
  #scope = Scope.root();
  #known = new Map<string, Tag>();
  /** For each open element: the scope around it, and the tags known there. */
  readonly #outer: { readonly scope: Scope; readonly known: Map<string, Tag> }[] = [];

  constructor(events: XmlEvents, options: ReaderOptions) {
    this.#events = events;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#decoder = new XmlDecoder(options.charset);
  }

  write(chunk: Uint8Array): void {
    this.#located(() => this.#take(this.#decoder.decode(chunk)));
  }

  end(): void {
    this.#located(() => {
      this.#take(this.#decoder.end());
      this.#finish();
    });
  }

  namespaceOf(prefix: string): string | undefined {
    return this.#scope.uri(prefix);
  }

  #located(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      if (!(thrown instanceof RelctlError) || thrown.facts.path !== undefined) throw thrown;
      const { line, column } = this.#place();
      throw new RelctlError(thrown.kind, `${thrown.message} (line ${line}, column ${column})`, {
        facts: { ...thrown.facts, path: `${line}:${column}` },
        ...(thrown.hint === undefined ? {} : { hint: thrown.hint }),
        ...(thrown.cause === undefined ? {} : { cause: thrown.cause }),
      });
    }
  }

  #place(): { readonly line: number; readonly column: number } {
    const passed = this.#text.slice(0, this.#at);
    // To look from the front is many times as fast as from the end, and base64 has no lines.
    const last = passed.includes('\n') ? passed.lastIndexOf('\n') : -1;
    const lines = last === -1 ? 0 : passed.split('\n').length - 1;
    return {
      line: this.#lines + lines,
      column: last === -1 ? this.#columns + passed.length + 1 : passed.length - last,
    };
  }

  #take(more: string): void {
    this.#length += more.length;
    if (this.#length > this.#limits.maxLength)
      throw refusal('xml-limit', `longer than ${this.#limits.maxLength} characters`);
    this.#forget();
    this.#text += more;
    this.#holdsSectionEnd = this.#text.includes(']]>');
    while (this.#at < this.#text.length && this.#step());
  }

  /** Drops what was used up, keeping count of lines. */
  #forget(): void {
    const place = this.#place();
    this.#lines = place.line;
    this.#columns = place.column - 1;
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
  }

  #finish(): void {
    const rest = this.#text.slice(this.#at);
    const inside = this.#open.at(-1);
    if (inside !== undefined) throw refusal('xml-truncated', `the document ends within <${visible(inside.raw)}>`);
    if (this.#mode !== 'content' || rest.trim() !== '')
      throw refusal('xml-truncated', 'the document ends within a tag');
    if (!this.#hasRoot) throw refusal('xml-truncated', 'the document ends before its root element');
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

  /** Text whose end has not come: passes on what is certain, holds back what may become a reference or a `]]>`. */
  #partialCharacters(): boolean {
    const { length } = this.#text;
    let end = length;
    const reference = this.#text.lastIndexOf('&');
    if (reference >= this.#at && length - reference <= longestReference && !this.#text.includes(';', reference))
      end = reference;
    while (end > this.#at && length - end < 2 && this.#text.charCodeAt(end - 1) === 0x5d) end -= 1;
    if (end > this.#at) this.#emit(this.#text.slice(this.#at, end));
    this.#at = end;
    return false;
  }

  #emit(raw: string): void {
    this.#isStart = false;
    if (this.#open.length === 0) {
      if (/[^ \t\n]/.test(raw))
        throw refusal('xml-malformed', `text outside the root element: '${visible(raw.trim())}'`);
      return;
    }
    if (this.#holdsSectionEnd && raw.includes(']]>')) throw refusal('xml-malformed', "']]>' in text");
    this.#events.text(raw.includes('&') ? decodeReferences(raw) : raw);
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
    const known = quick === -1 ? undefined : this.#known.get(this.#text.slice(from, quick));
    if (known !== undefined) {
      this.#begin(known, quick);
      return true;
    }
    const end = tagEnd(this.#text, from);
    if (end === -1) return this.#awaitTag();
    const raw = this.#text.slice(from, end);
    const tag = parseTag(raw, this.#scope, this.#limits);
    const isWorthKeeping = tag.scope === this.#scope && end === quick && raw.length <= maxKnownTagLength;
    if (isWorthKeeping && this.#known.size < maxKnownTags) this.#known.set(raw, tag);
    this.#begin(tag, end);
    return true;
  }

  #awaitTag(): false {
    if (this.#text.length - this.#at > maxTagLength)
      throw refusal('xml-limit', `a tag longer than ${maxTagLength} characters`);
    return false;
  }

  #begin(tag: Tag, end: number): void {
    this.#isStart = false;
    if (this.#open.length === 0 && this.#hasRoot)
      throw refusal('xml-malformed', `a second root element <${visible(tag.raw)}>`);
    this.#hasRoot = true;
    this.#elements += 1;
    if (this.#elements > this.#limits.maxElements)
      throw refusal('xml-limit', `more than ${this.#limits.maxElements} elements`);
    if (this.#open.length >= this.#limits.maxDepth)
      throw refusal('xml-limit', `elements nested deeper than ${this.#limits.maxDepth}`);
    this.#at = end + 1;
    const outer = this.#scope;
    this.#scope = tag.scope;
    this.#events.open(tag.name, tag.attributes);
    if (tag.isEmpty) {
      this.#events.close(tag.name);
      this.#scope = outer;
      return;
    }
    this.#open.push(tag);
    if (tag.scope === outer) return;
    this.#outer.push({ scope: outer, known: this.#known });
    this.#known = new Map();
  }

  #endTag(): boolean {
    const tag = this.#open.at(-1);
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
      const raw = this.#text.slice(from, end).replace(/[ \t\n]+$/, '');
      if (raw !== tag?.raw) throw refusal('xml-malformed', `</${visible(raw)}> where ${expected(tag)} was expected`);
    }
    this.#at = end + 1;
    this.#close();
    return true;
  }

  #close(): void {
    const tag = this.#open.pop();
    if (tag === undefined) return;
    this.#events.close(tag.name);
    // A scope of its own means that the element declared namespaces; its neighbours do not share them.
    if (tag.scope === this.#open.at(-1)?.scope) return;
    const outer = this.#outer.pop();
    this.#scope = outer?.scope ?? this.#scope;
    this.#known = outer?.known ?? new Map<string, Tag>();
  }

  #declaration(): boolean {
    const head = this.#text.slice(this.#at, this.#at + 9);
    if (head.startsWith('<!--')) return this.#enter('comment', 4);
    if (head === '<!DOCTYPE') throw refusal('xml-doctype', 'document type declarations are refused');
    if (head === '<![CDATA[') {
      if (this.#open.length === 0) throw refusal('xml-malformed', 'a CDATA section outside the root element');
      return this.#enter('cdata', 9);
    }
    if (head.length < 9 && openings.some((opening) => opening.startsWith(head))) return false;
    throw refusal('xml-malformed', `'${visible(head)}' is no markup`);
  }

  #enter(mode: Mode, length: number): true {
    this.#isStart = false;
    this.#mode = mode;
    this.#at += length;
    return true;
  }

  #comment(): boolean {
    const dashes = this.#text.indexOf('--', this.#at);
    if (dashes === -1) return this.#skipTo(this.#text.length - 1);
    if (dashes + 2 >= this.#text.length) return this.#skipTo(dashes);
    if (this.#text.charCodeAt(dashes + 2) !== 0x3e) throw refusal('xml-malformed', "'--' within a comment");
    return this.#leave(dashes + 3);
  }

  #section(): boolean {
    const end = this.#text.indexOf(']]>', this.#at);
    const until = end === -1 ? Math.max(this.#at, this.#text.length - 2) : end;
    if (until > this.#at) this.#events.text(this.#text.slice(this.#at, until));
    return end === -1 ? this.#skipTo(until) : this.#leave(end + 3);
  }

  #beginInstruction(): boolean {
    const from = this.#at + 2;
    const most = this.#limits.maxNameLength;
    const end = /[ \t\n?]/.exec(this.#text.slice(from, from + most + 1))?.index;
    if (end === undefined) {
      if (this.#text.length > from + most) throw refusal('xml-limit', `a name longer than ${most} characters`);
      return false;
    }
    const target = this.#text.slice(from, from + end);
    if (target.toLowerCase() !== 'xml') return this.#beginOther(target);
    if (!this.#isStart || target !== 'xml')
      throw refusal('xml-malformed', 'an XML declaration that is not at the start');
    const close = this.#text.indexOf('?>', this.#at);
    if (close === -1) return this.#awaitTag();
    checkDeclaration(this.#text.slice(this.#at, close + 2), this.#decoder);
    return this.#enter('content', close + 2 - this.#at);
  }

  /** A processing instruction that is no XML declaration; nobody wants its content. */
  #beginOther(target: string): boolean {
    if (parseName(target).prefix !== '') throw refusal('xml-malformed', `':' in the name '${visible(target)}'`);
    const behind = this.#at + 2 + target.length;
    if (this.#text.charCodeAt(behind) === 0x3f) {
      // A '?' right behind the target can only be the one that ends it.
      if (behind + 1 >= this.#text.length) return false;
      if (this.#text.charCodeAt(behind + 1) !== 0x3e)
        throw refusal('xml-malformed', "'?' in the name of an instruction");
    }
    return this.#enter('instruction', 2 + target.length);
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

const expected = (tag: Tag | undefined): string => (tag === undefined ? 'nothing' : `</${visible(tag.raw)}>`);

/**
 * A strict streaming reader of XML 1.0 with namespaces. Refuses document type declarations and everything that is not
 * well-formed; decodes the five entities and character references, among them those to control characters, which .NET
 * services really send. Zero dependencies; the figures are in docs/benchmarks.md.
 */
export function createXmlReader(events: XmlEvents, options: ReaderOptions = {}): XmlReader {
  return new Reader(events, options);
}
