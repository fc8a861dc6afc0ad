import type { XmlEvents, XmlName } from './events.js';
import type { OpenElements } from './repeated.js';
import type { Scope } from './names.js';
import type { Tag } from './tags.js';

/** An event that was told, and the index in the document to which it was read then. */
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
  readonly told: readonly ReportedEvent[];
  /** Elements that were opened. */
  readonly elements: number;
  /** Those that are open behind it. */
  readonly open: OpenElements;
}

/** What was told before the first element of a name, where so many are open; undefined without one. */
function beforeFirst(
  told: readonly ReportedEvent[],
  name: XmlName,
  depth: number,
): Omit<Beginning, 'open'> | undefined {
  let [open, elements] = [0, 0];
  let found: Omit<Beginning, 'open'> | undefined;
  for (const [index, each] of told.entries()) {
    if (each.kind === 'close') {
      open -= 1;
      // Elements of that name stood in another one before.
      if (open < depth) found = undefined;
    } else if (each.kind === 'open') {
      if (open === depth && each.tag.name === name)
        found ??= { length: each.begin, told: told.slice(0, index), elements };
      open += 1;
      elements += 1;
    }
  }
  return found;
}

/** Keeps what is told at the beginning of a document: it may be of use for one that begins in the same way. */
export class BeginningKeeper {
  #told: ReportedEvent[] | undefined = [];

  add(told: ReportedEvent): void {
    if (this.#told === undefined) return;
    this.#told.push(told);
    if (this.#told.length > mostEvents) this.#told = undefined;
  }

  /** Something came that is not told again, or the beginning is known. */
  end(): void {
    this.#told = undefined;
  }

  /**
   * How the document began, before the first of the elements of a name that follow each other within the innermost one. It is
   * given once; undefined where not all of it is known.
   */
  before(name: XmlName, open: OpenElements): Beginning | undefined {
    const before = this.#told && beforeFirst(this.#told, name, open.depth);
    this.end();
    return before && { ...before, open: open.copy() };
  }
}

/** Tells an event again. */
export function tellAgain(events: XmlEvents, told: ReportedEvent, setScope: (scope: Scope) => void): void {
  if (told.kind === 'text') events.text(told.text);
  else if (told.kind === 'close') events.close(told.name);
  else {
    setScope(told.tag.scope);
    events.open(told.tag.name, told.tag.attributes);
  }
}
