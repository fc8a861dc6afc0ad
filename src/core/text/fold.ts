/** ASCII has neither accents nor forms to bring together. */
const ascii = /^[\u0000-\u007f]*$/;

/** Latin letters: none of them makes another one with its neighbour, so that each is folded by itself. */
const latin = /^[\u0000-\u024f]*$/;
const accented = /[\u0080-\u024f]/g;
const folded = new Map<string, string>();

let marks: RegExp | undefined;

function foldWhole(text: string): string {
  // Made when it is needed: the classes of Unicode take a millisecond.
  marks ??= /\p{M}/gu;
  return text.normalize('NFD').replace(marks, '').toLowerCase().normalize('NFC');
}

function foldLetter(letter: string): string {
  const known = folded.get(letter);
  if (known !== undefined) return known;
  const made = foldWhole(letter);
  folded.set(letter, made);
  return made;
}

/** A text in lower case and without accents, so that texts that people take for the same are equal: Joëlle is joelle. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  if (latin.test(text)) return text.replace(accented, foldLetter).toLowerCase();
  return foldWhole(text);
}
