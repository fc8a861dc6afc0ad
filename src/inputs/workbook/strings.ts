import type { XmlEvents } from '../../xml/events.js';
import { readWhole, type PartSource } from './xml-part.js';

const escape = /_x([0-9A-Fa-f]{4})_/g;

/** A text of a workbook, in which `_x000D_` stands for a character that XML cannot carry. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(escape, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Gathers the text of the elements `t`, but for how Japanese is read aloud. */
export class TextGatherer {
  #text = '';
  #isText = false;
  #aloud = 0;

  open(name: string): void {
    if (name === 'rPh') this.#aloud += 1;
    this.#isText = name === 't' && this.#aloud === 0;
  }

  add(text: string): void {
    if (this.#isText) this.#text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#aloud -= 1;
    this.#isText = false;
  }

  /** The text that was gathered, which is forgotten. */
  take(): string {
    const text = unescaped(this.#text);
    this.#text = '';
    return text;
  }
}

/** The texts that cells of a workbook share. Throws `usage`. */
export async function readStrings(source: PartSource, path: string | undefined): Promise<readonly string[]> {
  const strings: string[] = [];
  if (path === undefined) return strings;
  const gatherer = new TextGatherer();
  const events: XmlEvents = {
    open: ({ local }) => gatherer.open(local),
    text: (text) => gatherer.add(text),
    close({ local }) {
      gatherer.close(local);
      if (local === 'si') strings.push(gatherer.take());
    },
  };
  await readWhole(source, path, events);
  return strings;
}
