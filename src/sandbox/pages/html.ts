/** Markup that is safe to put into a page. Only the tag below makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template. Text is escaped, markup is not; nothing gives nothing. */
export type Part = Html | string | number | undefined | readonly Html[];

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// what no document may hold, and what would hide text from a reader
const unshowable =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => references[character] ?? '').replace(unshowable, '\ufffd');

function written(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map((each) => each.text).join('') : escaped(String(part));
}

/** Tag for templates of markup: everything that is put in is escaped, unless it is markup itself. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + written(parts[index])).join(''));
}
