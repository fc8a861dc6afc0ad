/** A formula may hold a text of so many characters. */
const mostInText = 255;

/** A formula may be so long. */
const mostInFormula = 8192;

const startsFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const months =
  '(?:jan|feb|f[eé]v|mar|mrt|maa|mär|apr|avr|abr|may|mei|mai|mag|jun|jui|giu|jul|lug|aug|ago|ao[uû]|sep|set|okt|oct|ott|nov|dec|d[eé]c|dez|dic)\\p{L}*';
const digits = /\p{Nd}/u;
let otherWord: RegExp | undefined;

// Made when it is first needed, because what V8 makes of the classes takes part of a millisecond.
const hasOtherWord = (text: string): boolean =>
  (otherWord ??= new RegExp(`(?<!\\p{L})(?!${months}(?!\\p{L}))\\p{L}{4,}`, 'iu')).test(text);
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// The end of a line with # is a letter, so that blanks are matched in one way only: a long text would take minutes.
const wholeWord = /^\s*(?:true|false|waar|onwaar|wahr|falsch|vrai|faux|verdadero|falso|vero|#(?:.*\S)?)\s*$/i;

/** True for a text that a spreadsheet may take for a number, a day, a time, a truth value, an error or a formula. */
export function mayBeTakenForValue(text: string): boolean {
  if (startsFormula.test(text) || wholeWord.test(text)) return true;
  // A number or a day has a digit, and no longer word than the name of a month.
  return digits.test(text) && !guid.test(text) && !hasOtherWord(text);
}

/** Pieces of a text, none of which ends within a pair of surrogates. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const piece = text.slice(from, from + mostInText);
    const whole = from + mostInText < text.length ? piece.replace(/[\ud800-\udbff]$/, '') : piece;
    pieces.push(whole);
    from += whole.length;
  }
  return pieces;
}

/**
 * A text as a formula that gives it, `="007"`, so that Excel reads it back to the character. A text that is too long for a
 * formula, or has line breaks, gets a `'` before it: nothing takes it for a number then, but the `'` shows.
 */
export function keptText(text: string): string {
  const pieces = piecesOf(text).map((piece) => `"${piece.replaceAll('"', '""')}"`);
  const formula = `=${pieces.join('&')}`;
  return formula.length <= mostInFormula && !/[\r\n\t]/.test(text) ? formula : `'${text}`;
}
