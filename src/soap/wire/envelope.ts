import { badAnswer } from '../../core/errors/relctl-error.js';
import { isXmlSpace, withoutEnds, forMessage } from '../../core/text/text.js';
import type { ElementTaker, ElementTemplate, XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { xmlDeclaration } from '../../xml/escape.js';
import { xsdNamespace, xsiNamespace } from '../values/scalars.js';
import { assumedVersion, soapVersions, versionOf, type SoapVersion } from './version.js';

/** Bytes are gathered in blocks of this size, or of the size of a longer text. */
const blockLength = 512 * 1024;

const bytesPerUnit = 3;

/** Blocks that were used, to be used again: new ones for each answer are left to the collector faster than it takes them. */
const spare: Buffer[] = [];
const mostSpare = 4;

function blockFor(bytes: number): Buffer {
  const spareBlock = bytes <= blockLength ? spare.pop() : undefined;
  return spareBlock ?? Buffer.allocUnsafeSlow(Math.max(bytes, blockLength));
}

/** Texts as UTF-8, one behind the other. */
export class Blocks {
  readonly #full: Buffer[] = [];
  #block: Buffer | undefined;
  #used = 0;

  /** True until something is written. */
  get isEmpty(): boolean {
    return this.#block === undefined;
  }

  write(text: string): void {
    const block = this.#room(text.length * bytesPerUnit);
    this.#used += block.write(text, this.#used);
  }

  #room(bytes: number): Buffer {
    if (this.#block !== undefined && this.#block.length - this.#used >= bytes) return this.#block;
    if (this.#block !== undefined) this.#full.push(this.#block.subarray(0, this.#used));
    [this.#block, this.#used] = [blockFor(bytes), 0];
    return this.#block;
  }

  /** All bytes, in memory of their own. Nothing may be written after that. */
  take(): Uint8Array {
    if (this.#block === undefined) return new Uint8Array();
    const parts = [...this.#full, this.#block.subarray(0, this.#used)];
    const bytes = Buffer.concat(parts);
    for (const { buffer } of parts)
      if (buffer.byteLength === blockLength && spare.length < mostSpare) spare.push(Buffer.from(buffer));
    this.#block = undefined;
    this.#full.length = 0;
    return bytes;
  }
}

const schemas = `xmlns:xsi="${xsiNamespace}" xmlns:xsd="${xsdNamespace}"`;

const partLength = 8 * 1024;

/** The bytes of a text that comes in pieces. One character above U+00FF makes the text about it slower, so not all of it is one. */
function bytesOf(pieces: Iterable<string>): Uint8Array {
  const blocks = new Blocks();
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < partLength) continue;
    blocks.write(text);
    text = '';
  }
  // A short envelope needs no block.
  if (blocks.isEmpty) return Buffer.from(text);
  blocks.write(text);
  return blocks.take();
}

function* envelopePieces(version: SoapVersion, body: Iterable<string>): Generator<string> {
  const soap = `xmlns:soap="${soapVersions[version].envelopeNamespace}"`;
  yield `${xmlDeclaration}<soap:Envelope ${soap} ${schemas}><soap:Body>`;
  yield* body;
  yield '</soap:Body></soap:Envelope>';
}

/** The bytes of an envelope with this content of its Body, as .NET services write it. Throws what makes the pieces. */
export const writeEnvelope = (version: SoapVersion, body: Iterable<string>): Uint8Array =>
  bytesOf(envelopePieces(version, body));

/** Reads the content of the Body. */
export interface BodyReader {
  /** Called for the one child of the Body; gives the reader of the events between its tags. */
  begin(name: XmlName, version: SoapVersion, attributes: readonly XmlAttribute[]): XmlEvents;
  /** Called for a Header behind another one, which is passed over as the first one is. */
  secondHeader?(): void;
  /** Called for each entry of a Header. */
  entry?(name: XmlName, attributes: readonly XmlAttribute[]): void;
  /** Called for a processing instruction anywhere in the document. */
  instruction?(target: string): void;
}

type EnvelopePart = 'outside' | 'envelope' | 'header' | 'body' | 'content' | 'done';

/** Reads an envelope: perhaps a Header, which is ignored, and a Body with one child. Throws `bad-answer` (`envelope`). */
export class EnvelopeReader implements XmlEvents {
  readonly #body: BodyReader;
  #part: EnvelopePart = 'outside';
  #depth = 0;
  #content: XmlEvents | undefined;
  #hasHeader = false;
  #hasBody = false;
  #hasContent = false;
  /** Version by the namespace of the envelope; undefined before its start tag, and for what is no SOAP. */
  version: SoapVersion | undefined;

  constructor(body: BodyReader) {
    this.#body = body;
  }

  /** True when the envelope had a Body with something in it. */
  get hasContent(): boolean {
    return this.#hasContent;
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    if (this.#part === 'content') {
      this.#depth += 1;
      this.#content?.open(name, attributes);
    } else if (this.#part === 'header') {
      if (this.#depth === 0) this.#body.entry?.(name, attributes);
      this.#depth += 1;
    } else if (this.#part === 'body') this.#beginContent(name, attributes);
    else if (this.#part === 'envelope') this.#beginPart(name);
    else this.#beginEnvelope(name);
  }

  text(text: string): void {
    if (this.#part === 'content') this.#content?.text(text);
    else if (this.#part !== 'header' && /[^ \t\r\n]/.test(text))
      throw badAnswer('envelope', `text in the envelope: '${forMessage(withoutEnds(text, isXmlSpace))}'`);
  }

  close(name: XmlName): void {
    if ((this.#part === 'content' || this.#part === 'header') && this.#depth > 0) {
      this.#depth -= 1;
      if (this.#part === 'content') this.#content?.close(name);
    } else if (this.#part === 'content') this.#part = 'body';
    else this.#part = this.#part === 'envelope' ? 'done' : 'envelope';
  }

  instruction(target: string): void {
    this.#body.instruction?.(target);
  }

  elements(template: ElementTemplate): ElementTaker | undefined {
    return this.#part === 'content' ? this.#content?.elements?.(template) : undefined;
  }

  #beginEnvelope(name: XmlName): void {
    const version = versionOf(name.namespace);
    if (name.local !== 'Envelope' || version === undefined) {
      throw badAnswer(
        'envelope',
        `<${forMessage(name.local)}> in namespace '${forMessage(name.namespace, 80)}' is not a SOAP envelope`,
      );
    }
    this.version = version;
    this.#part = 'envelope';
  }

  #beginPart(name: XmlName): void {
    const isSoap = versionOf(name.namespace) === this.version;
    if (isSoap && name.local === 'Header' && !this.#hasBody) {
      if (this.#hasHeader) this.#body.secondHeader?.();
      this.#hasHeader = true;
      this.#part = 'header';
    } else if (isSoap && name.local === 'Body' && !this.#hasBody) {
      this.#part = 'body';
      this.#hasBody = true;
    } else {
      throw badAnswer('envelope', `<${forMessage(name.local)}> where the Body of the envelope belongs`);
    }
  }

  #beginContent(name: XmlName, attributes: readonly XmlAttribute[]): void {
    if (this.#hasContent) throw badAnswer('envelope', `a second element <${forMessage(name.local)}> in the Body`);
    this.#hasContent = true;
    this.#part = 'content';
    this.#content = this.#body.begin(name, this.version ?? assumedVersion, attributes);
  }
}
