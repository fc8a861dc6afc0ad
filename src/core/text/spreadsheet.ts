import { isGuid } from './scalars.js';

// What spreadsheets take texts for, how this program keeps them from it, and what of that it finds when it reads.

const mostCharactersOfFormulaText = 255;

const mostCharactersOfFormula = 8192;

export const dayMs = 86_400_000;

/** The day that spreadsheets count from, in milliseconds since 1970. */
export const dayZero = Date.UTC(1899, 11, 30);

/** The first of March 1900, counted in days: before it some spreadsheets have a 29th of February. */
export const firstDay = 61;

// Spreadsheets take the full-width forms for the plain ones.
/** What begins a text that a spreadsheet takes for a formula. */
export const startsFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

const months =
  '(?:jan|feb|f[eé]v|mar|mrt|maa|mär|apr|avr|abr|may|mei|mai|mag|jun|jui|giu|jul|lug|aug|ago|ao[uû]|sep|set|okt|oct|ott|nov|dec|d[eé]c|dez|dic)\\p{L}*';
const digits = /\p{Nd}/u;
let otherWord: RegExp | undefined;

// Made when it is first needed, because what V8 makes of the classes takes part of a millisecond.
const hasOtherWord = (text: string): boolean =>
  (otherWord ??= new RegExp(`(?<!\\p{L})(?!${months}(?!\\p{L}))\\p{L}{4,}`, 'iu')).test(text);
// The end of a line with # is a letter, so that blanks are matched in one way only: a long text would take minutes.
const wholeWord = /^\s*(?:true|false|waar|onwaar|wahr|falsch|vrai|faux|verdadero|falso|vero|#(?:.*\S)?)\s*$/i;

/** True for a text that a spreadsheet may take for a number, a day, a time, a truth value, an error or a formula. */
export function mayReadAsValue(text: string): boolean {
  if (startsFormula.test(text) || wholeWord.test(text)) return true;
  // A number or a day has a digit, and no longer word than the name of a month.
  return digits.test(text) && !isGuid(text) && !hasOtherWord(text);
}

/** Pieces of a text, none of which ends within a pair of surrogates. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const piece = text.slice(from, from + mostCharactersOfFormulaText);
    const whole = from + mostCharactersOfFormulaText < text.length ? piece.replace(/[\ud800-\udbff]$/, '') : piece;
    pieces.push(whole);
    from += whole.length;
  }
  return pieces;
}

/**
 * A text as a formula that gives it, `="007"`, so that Excel reads it back to the character. A text that is too long for a
 * formula, or has line breaks, gets a `'` before it: nothing takes it for a number then, but the `'` shows.
 */
export function protectText(text: string): string {
  const pieces = piecesOf(text).map((piece) => `"${piece.replaceAll('"', '""')}"`);
  const formula = `=${pieces.join('&')}`;
  return formula.length <= mostCharactersOfFormula && !/[\r\n\t]/.test(text) ? formula : `'${text}`;
}

/** The most characters of UTF-16 that a cell holds. */
export const mostCharacters = 32_767;

/** A text of so many characters at most, which says at its end that it was longer. */
export function cutText(text: string): string {
  const mark = `… (cut: ${text.length} characters)`;
  // Half of a pair of surrogates is no character.
  const truncated = text.slice(0, mostCharacters - mark.length).replace(/[\ud800-\udbff]$/, '');
  // A copy: a part of a text keeps all of it in memory.
  return ` ${truncated}${mark}`.slice(1);
}

/** What stands in a formula that gives a text. */
const textFormula = /^=(?:"(?:[^"]|"")*")(?:&"(?:[^"]|"")*")*$/;

/** The text that a formula such as `="007"` gives; undefined for any other text. */
export function textOfFormula(cell: string): string | undefined {
  // A longer text would take the expression too much room.
  if (cell.length > mostCharactersOfFormula || !textFormula.test(cell)) return undefined;
  return cell.slice(2, -1).replace(/""|"&"/g, (quotes) => (quotes === '""' ? '"' : ''));
}

/** The text behind a `'` that keeps spreadsheets from taking it for a value; undefined for a text without one. */
export function textAfterQuote(cell: string): string | undefined {
  const rest = cell.startsWith("'") ? cell.slice(1) : '';
  return startsFormula.test(rest) || (mayReadAsValue(rest) && protectText(rest) === cell) ? rest : undefined;
}

/** Errors that have their own words in the languages of Excel, and those of LibreOffice; and what does not fit its column. */
const errorWord =
  /^(?:#[\u00a1\u00bf]?[\p{Lu}\p{M}_]+(?:\/[\p{Lu}0]+)?[!?]|#(?:N\/[ABD]|I\/T|\u041d\/\u0414|\u0394\/\u03a5)|#(?:NV|YOK|HI\u00c1NYZIK|NEN\u00cd_K_DISPOZICI|NEDOSTUPN\u00dd|GETTING_DATA)|(?:Err|Error|Erreur|Errore|Fehler|Fout):\d{3}|#{3,})$/u;

/** True for the text of an error of a spreadsheet, such as #N/A, #REF! or #WAARDE!. */
export const isErrorWord = (text: string): boolean => text.length <= 255 && errorWord.test(text.trim());

/** Characters that a text had before `cutText` cut it; undefined for a whole one. */
export function lengthBeforeCut(cell: string): number | undefined {
  const length = Number(/\u2026 \(cut: (\d{5,15}) characters\)$/.exec(cell.slice(-50))?.[1] ?? 0);
  return length > mostCharacters && length > cell.length ? length : undefined;
}

/** The letters by which spreadsheets name a column, by its place from 0: A, B, … Z, AA. */
export function columnLetters(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnLetters(Math.floor(at / 26) - 1) + letter;
}
