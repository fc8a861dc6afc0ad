type IsCut = (unit: number) => boolean;

/** True for the white space of XML. */
export const isXmlSpace: IsCut = (unit) => unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d;

const isZero: IsCut = (unit) => unit === 0x30;

/** A text without what is cut at its end. An expression such as ` +$` would look at each run within the text again and again. */
export function withoutEnd(text: string, isCut: IsCut): string {
  let end = text.length;
  while (end > 0 && isCut(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A text without what is cut at its beginning and at its end. */
export function withoutEnds(text: string, isCut: IsCut): string {
  const cut = withoutEnd(text, isCut);
  let from = 0;
  while (from < cut.length && isCut(cut.charCodeAt(from))) from += 1;
  return cut.slice(from);
}

/** Digits without the zeros that they end with. */
export const withoutLastZeros = (digits: string): string => withoutEnd(digits, isZero);
