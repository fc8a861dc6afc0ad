/** ASCII has neither accents nor forms to bring together. */
const ascii = /^[\u0000-\u007f]*$/;

let marks: RegExp | undefined;

/** A text in lower case and without accents, so that texts that people take for the same are equal: Joëlle is joelle. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // Made when it is needed: the classes of Unicode take a millisecond.
  marks ??= /\p{M}/gu;
  return text.normalize('NFD').replace(marks, '').toLowerCase().normalize('NFC');
}
