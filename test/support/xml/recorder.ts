import fc from 'fast-check';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { ElementTaker, ElementTemplate, ElementRange, XmlEvents } from '../../../src/xml/events.js';
import { XmlReader, type ReaderOptions } from '../../../src/xml/reader.js';
import { decodeReferences } from '../../../src/xml/escape.js';

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

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Finds an element of a template in text of one byte a character, a group for the text of each form. */
function expressionOf({ head, children, tail }: ElementTemplate): RegExp {
  const parts = children.map(({ raw, forms, isOptional }) => {
    const ways = forms.map(({ literal, isEmpty }) => quoted(literal) + (isEmpty ? '()' : `([^<]*)</${quoted(raw)}>`));
    return `(?:${ways.join('|')})${isOptional ? '?' : ''}`;
  });
  return new RegExp(quoted(head) + parts.join('') + quoted(tail), 'y');
}

/** What a taker leaves to the reader: what is wrong, and references that need a closer look. */
const leftToReader = /[\x00-\x08\x0b-\x1f]|\xef\xbf[\xbe\xbf]|\]\]>|&(?!(?:amp|lt|gt|quot|apos);)/;

/** Takes elements out of bytes, and takes them down as the events that they stand for. */
export class ElementRecorder extends Recorder {
  taken = 0;
  asked = 0;
  readonly #accepts: () => boolean;

  /** @param accepts whether the next element is taken, and not left to the reader */
  constructor(accepts: () => boolean = () => true) {
    super();
    this.#accepts = accepts;
  }

  elements(template: ElementTemplate): ElementTaker | undefined {
    this.asked += 1;
    if (template.name.local !== 'Row') return undefined;
    const expression = expressionOf(template);
    let bytes = Buffer.alloc(0);
    let text = '';
    return {
      begin: (more, end) => {
        bytes = Buffer.from(more.subarray(0, end));
        text = bytes.toString('latin1');
      },
      take: (at, most) => {
        expression.lastIndex = at;
        const match = expression.exec(text);
        const none: ElementRange = { at, count: 0, units: 0, elements: 0, hasFeed: false, end: 'other' };
        if (match === null) return text.includes(template.tail, at) ? none : { ...none, end: 'cut' };
        const [whole, ...values] = match;
        const elements = 1 + template.children.length - this.#absent(template, values);
        if (elements > most || leftToReader.test(whole) || !this.#accepts()) return none;
        this.#tell(template, values);
        this.taken += 1;
        const units = bytes.toString('utf8', at, expression.lastIndex).length;
        const hasFeed = whole.includes('\n');
        return { at: expression.lastIndex, count: 1, units, elements, hasFeed, end: 'more' };
      },
    };
  }

  /** The texts of each child by its forms. */
  #valuesOf({ children }: ElementTemplate, values: readonly (string | undefined)[]) {
    let from = 0;
    return children.map(({ forms }) => ({ forms, texts: values.slice(from, (from += forms.length)) }));
  }

  #absent(template: ElementTemplate, values: readonly (string | undefined)[]): number {
    return this.#valuesOf(template, values).filter(({ texts }) => texts.every((text) => text === undefined)).length;
  }

  #tell(template: ElementTemplate, values: readonly (string | undefined)[]): void {
    this.open(template.name, template.attributes);
    for (const { forms, texts } of this.#valuesOf(template, values)) {
      const index = texts.findIndex((text) => text !== undefined);
      const form = forms[index];
      if (form === undefined) continue;
      this.open(form.name, form.attributes);
      this.text(decodeReferences(Buffer.from(texts[index] ?? '', 'latin1').toString('utf8')));
      this.close(form.name);
    }
    this.close(template.name);
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
