import { hash } from 'node:crypto';
import type { Type } from '../../contract/build.js';
import { scalarOf } from '../../contract/walk.js';
import { withoutLastZeros } from '../../core/text/text.js';
import { isDecimal, isGuid } from '../../core/text/scalars.js';

/** What tells two texts of a cell apart: of a number its value, of a GUID its digits, of a truth value its word. */
export type CellKind = 'text' | 'number' | 'guid' | 'boolean';

/** The value of a cell as the service has it. */
export interface CellState {
  /** Its flag or field, whatever the title of the column is. */
  readonly name: string;
  readonly kind: CellKind;
  /** Empty for no value. */
  readonly text: string;
}

const kindOfScalar: Readonly<Record<string, CellKind>> = {
  decimal: 'number',
  int: 'number',
  short: 'number',
  long: 'number',
  guid: 'guid',
  boolean: 'boolean',
};

/** What tells apart two values of a type. */
export const kindOfType = (type: Type): CellKind => kindOfScalar[scalarOf(type) ?? ''] ?? 'text';

/** A decimal in its shortest form: 12.50, +12.5 and 012.5 are one number, and so are 0 and -0.00. */
export function plainNumber(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  const digits = `${whole.replace(/^0+/, '') || '0'}.${withoutLastZeros(fraction)}`.replace(/\.$/, '');
  return text.startsWith('-') && digits !== '0' ? `-${digits}` : digits;
}

const isTruth = (text: string): boolean => /^(?:true|false)$/i.test(text);

const forms: Readonly<Record<CellKind, (text: string) => string | undefined>> = {
  // Spreadsheets end the lines of a cell in their own way.
  text: (text) => text.replace(/\r\n?/g, '\n'),
  number: (text) => (isDecimal(text) ? plainNumber(text) : undefined),
  guid: (text) => (isGuid(text) ? text.toLowerCase() : undefined),
  boolean: (text) => (isTruth(text) ? text.toLowerCase() : undefined),
};

/** The form of a text that is the same for all its spellings; undefined for a text that is nothing of that kind. */
export const formOf = (kind: CellKind, text: string): string | undefined => forms[kind](text);

/** The kinds of which a text may be. */
export const kindNames: readonly CellKind[] = ['text', 'number', 'guid', 'boolean'];

/** A decimal with a comma, as one with a point; any other text as it is. */
export const plainComma = (text: string): string => (/^[+-]?\d*,\d*$/.test(text) ? text.replace(',', '.') : text);

/** Characters of a hash, of 6 bits each: one edit in 2 to the power of 48 goes unnoticed. */
export const hashCharacters = 8;

/** A short hash of texts. */
export const shortHash = (texts: readonly string[], characters: number): string =>
  hash('sha256', JSON.stringify(texts), 'base64url').slice(0, characters);

/** The hash of a state of a cell of a record. */
export function stateHash(id: string, { name, kind, text }: CellState): string {
  const form = formOf(kind, text);
  // A value that is not of its type is told apart as a text.
  const [as, what] = form === undefined ? ['text', text] : [kind, form];
  return shortHash([id.toLowerCase(), name, as, what], hashCharacters);
}
