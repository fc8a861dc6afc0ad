import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { FlatBytes, FlatElement, XmlEvents } from '../../../src/xml/events.js';
import { decodeReferences } from '../../../src/xml/references.js';
import { XmlReader, type ReaderOptions } from '../../../src/xml/reader.js';
import { Recorder, type Event } from './recorder.js';

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
