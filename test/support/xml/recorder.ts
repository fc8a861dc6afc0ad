import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { XmlEvents } from '../../../src/xml/events.js';
import { XmlReader, type ReaderOptions } from '../../../src/xml/reader.js';

/** One event: `<{namespace}local` with attributes, text in quotes, `>` for a close. Neighbouring texts are one. */
export type Event = readonly unknown[];

const expanded = (name: { readonly namespace: string; readonly local: string }): string =>
  name.namespace === '' ? name.local : `{${name.namespace}}${name.local}`;

/** Takes events down. */
export class Recorder implements XmlEvents {
  readonly events: Event[] = [];
  #text = '';

  open(...[name, attributes]: Parameters<XmlEvents['open']>): void {
    this.flush();
    const given = Object.fromEntries(attributes.map((each) => [expanded(each.name), each.value]));
    this.events.push(attributes.length === 0 ? ['open', expanded(name)] : ['open', expanded(name), given]);
  }

  text(text: string): void {
    this.#text += text;
  }

  close(name: Parameters<XmlEvents['close']>[0]): void {
    this.flush();
    this.events.push(['close', expanded(name)]);
  }

  flush(): void {
    if (this.#text !== '') this.events.push(['text', this.#text]);
    this.#text = '';
  }
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Cuts bytes at these places. */
export function chunksOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

/** The events of a document that is fed in chunks. Throws what the reader throws. */
export function eventsOfChunks(chunks: readonly Uint8Array[], options: ReaderOptions = {}): Event[] {
  const recorder = new Recorder();
  const reader = new XmlReader(recorder, options);
  for (const chunk of chunks) reader.write(chunk);
  reader.end();
  recorder.flush();
  return recorder.events;
}

/** The events of a document that comes at once. Throws what the reader throws. */
export const eventsOf = (document: string | Uint8Array, options: ReaderOptions = {}): Event[] =>
  eventsOfChunks([typeof document === 'string' ? bytesOf(document) : document], options);

/** Why a document is refused, or undefined when it is not. */
export const refusalOf = (document: string | Uint8Array, options: ReaderOptions = {}): RelctlError | undefined =>
  refusalOfChunks([typeof document === 'string' ? bytesOf(document) : document], options);

/** The same for a document that is fed in chunks. */
export function refusalOfChunks(chunks: readonly Uint8Array[], options: ReaderOptions = {}): RelctlError | undefined {
  try {
    eventsOfChunks(chunks, options);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof RelctlError) return thrown;
    throw thrown;
  }
}
