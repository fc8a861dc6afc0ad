import type { XmlEvents, XmlName } from './events.js';
import type { OpenElements } from './repeated.js';
import type { Scope } from './names.js';
import type { Tag } from './tags.js';

/** An event, and the index in the document to which it was read when it was reported. */
export type ReportedEvent = { readonly at: number } & (
  | { readonly kind: 'open'; readonly tag: Tag; readonly begin: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'close'; readonly name: XmlName }
);

/** Most events that are kept: the envelope around a list has few. */
const mostEvents = 2000;

/** How a document begins, before the first of the elements that follow each other. */
export interface Beginning {
  readonly length: number;
  readonly events: readonly ReportedEvent[];
  /** Elements that were opened. */
  readonly elements: number;
  /** Those that are open behind it. */
  readonly open: OpenElements;
}

/** The events before the first element of a name, where so many are open; undefined without one. */
function beforeFirst(
  events: readonly ReportedEvent[],
  name: XmlName,
  depth: number,
): Omit<Beginning, 'open'> | undefined {
  let [open, elements] = [0, 0];
  let found: Omit<Beginning, 'open'> | undefined;
  for (const [index, each] of events.entries()) {
    if (each.kind === 'close') {
      open -= 1;
      // Elements of that name stood in another one before.
      if (open < depth) found = undefined;
    } else if (each.kind === 'open') {
      if (open === depth && each.tag.name === name)
        found ??= { length: each.begin, events: events.slice(0, index), elements };
      open += 1;
      elements += 1;
    }
  }
  return found;
}

/** Records the events at the beginning of a document, to replay them for one that begins in the same way. */
export class BeginningRecorder {
  #events: ReportedEvent[] | undefined = [];

  add(event: ReportedEvent): void {
    if (this.#events === undefined) return;
    this.#events.push(event);
    if (this.#events.length > mostEvents) this.#events = undefined;
  }

  /** Something came that cannot be replayed, or the beginning is known. */
  end(): void {
    this.#events = undefined;
  }

  /**
   * How the document began, before the first of the elements of a name that follow each other within the innermost one. It is
   * given once; undefined where not all of it is known.
   */
  before(name: XmlName, open: OpenElements): Beginning | undefined {
    const before = this.#events && beforeFirst(this.#events, name, open.depth);
    this.end();
    return before && { ...before, open: open.copy() };
  }
}

/** Reports an event again. */
export function replay(events: XmlEvents, event: ReportedEvent, setScope: (scope: Scope) => void): void {
  if (event.kind === 'text') events.text(event.text);
  else if (event.kind === 'close') events.close(event.name);
  else {
    setScope(event.tag.scope);
    events.open(event.tag.name, event.tag.attributes);
  }
}
