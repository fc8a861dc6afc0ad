import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { XmlEvents, FlatBytes, FlatElement } from '../../../src/xml/events.js';
import { XmlReader, type ReaderOptions } from '../../../src/xml/reader.js';
import { decodeReferences } from '../../../src/xml/references.js';

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

/** Takes whole elements, and takes them down as the events that they stand for. */
export class FlatRecorder extends Recorder {
  taken = 0;
  readonly #accepts: (element: FlatElement) => boolean;

  constructor(accepts: (element: FlatElement) => boolean = () => true) {
    super();
    this.#accepts = accepts;
  }

  flat(element: FlatElement): boolean {
    if (!this.#accepts(element)) return false;
    this.taken += 1;
    const { shape, values } = element;
    this.open(shape.name, shape.attributes);
    for (const forms of shape.children) {
      const form = forms.find(({ index }) => values[index] !== undefined);
      if (form === undefined) continue;
      this.open(form.name, form.attributes);
      if (!form.isEmpty) this.text(values[form.index] ?? '');
      this.close(form.name);
    }
    this.close(shape.name);
    return true;
  }
}

/** Takes whole elements as bytes too, but for those with references to what must be looked at closely. */
export class ByteRecorder extends FlatRecorder {
  takenBytes = 0;
  readonly #takes: () => boolean;

  constructor(takes: () => boolean = () => true) {
    super();
    this.#takes = takes;
  }

  wantsBytes(): boolean {
    return true;
  }

  flatBytes({ shape, bytes, forms, begins, ends, references }: FlatBytes): boolean {
    if (!this.#takes()) return false;
    const texts = shape.children.map((_, child) => {
      const text = Buffer.from(bytes.subarray(begins[child], ends[child])).toString('utf8');
      assert.equal(references[child] === 1, text.includes('&'));
      return text;
    });
    if (texts.some((text) => /&(?!(?:amp|lt|gt|quot|apos);)/.test(text))) return false;
    this.takenBytes += 1;
    this.open(shape.name, shape.attributes);
    for (const [child, all] of shape.children.entries()) {
      const form = all[forms[child] ?? -1];
      if (form === undefined) continue;
      this.open(form.name, form.attributes);
      if (!form.isEmpty) this.text(decodeReferences(texts[child] ?? ''));
      this.close(form.name);
    }
    this.close(shape.name);
    return true;
  }
}

/** What a reader tells of a document. */
export interface Outcome {
  readonly events: readonly Event[];
  readonly error: string | undefined;
}

/** Events without white space between elements, which whole elements do not tell. */
function withoutBlanks(events: readonly Event[]): readonly Event[] {
  return events.filter(([kind, text], index) => {
    const isLeaf = events[index - 1]?.[0] === 'open' && events[index + 1]?.[0] === 'close';
    return kind !== 'text' || isLeaf || typeof text !== 'string' || text.trim() !== '';
  });
}

/** What a reader tells of a document that comes in these chunks, also when it refuses it. */
export function outcome(recorder: Recorder, chunks: readonly Uint8Array[], options: ReaderOptions = {}): Outcome {
  const reader = new XmlReader(recorder satisfies XmlEvents, options);
  let error: string | undefined;
  try {
    for (const chunk of chunks) reader.write(chunk);
    reader.end();
  } catch (thrown) {
    if (!(thrown instanceof RelctlError)) throw thrown;
    error = `${thrown.facts.code} ${thrown.message}`;
  }
  recorder.flush();
  // How much of a text is told before something wrong in it depends on where it was cut.
  const { events } = recorder;
  if (error !== undefined && events.at(-1)?.[0] === 'text') events.pop();
  return { events: withoutBlanks(events), error };
}

const pieces = fc.constantFrom(
  ...['x', 'é', '日', ' ', '\n', ']', '&amp;', '&lt;', '&#x1F;', '&#233;', '1', 'true', '<!-- -->', '<![CDATA[<&]]>'],
  '<?go?>',
);
const value = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z0-9 éß]{0,8}$/) },
  { weight: 1, arbitrary: fc.array(pieces, { maxLength: 4 }).map((parts) => parts.join('')) },
);
const field = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: value.map((text) => `<${name}>${text}</${name}>`) },
    { weight: 1, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        `<${name}/>`,
        `<${name} x:nil="true" />`,
        `<${name}></${name} >`,
        `<${name} a=">">1</${name}>`,
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        `<${name}><b>1</b></${name}>`,
        `<${name} xmlns="urn:z">1</${name}>`,
        `<${name}>1</${name}><${name}>2</${name}>`,
      ),
    },
  );
const record = fc
  .tuple(field('Id'), field('p:Name'), field('Note'), field('Kind'), fc.constantFrom('', '', '', '\n  '), fc.nat(30))
  .map(([id, name, note, kind, space, order]) => {
    const fields = order === 0 ? [name, id, note, kind] : [id, name, note, kind];
    return `<Row>${fields.map((each) => space + each).join('')}${space}</Row>`;
  });
/** Lists of records that are much alike, as services send them. */
export const rowDocuments = fc
  .record({
    rows: fc.array(record, { minLength: 1, maxLength: 25 }),
    space: fc.constantFrom('', '\n', '<!-- -->', 'x'),
  })
  .map(
    ({ rows, space }) =>
      `<?xml version="1.0"?>\n<r xmlns="urn:a" xmlns:p="urn:p" xmlns:x="urn:x"><List>${rows.join(space)}</List><Again>${rows.join('')}</Again></r>`,
  );
