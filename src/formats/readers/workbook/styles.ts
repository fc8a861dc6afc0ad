import { badAnswer } from '../../../core/errors/relctl-error.js';
import { attributeOf, readWhole, type PartSource } from './xml-part.js';

/** How a number is shown, where that is not the number itself. */
export type NumberLook =
  | { readonly kind: 'number' }
  | {
      readonly kind: 'date';
      /** The day is shown, and not a time alone. */
      readonly hasDay: boolean;
      /** The zone that its format writes behind it, as this program's formats do; else empty. */
      readonly zone: string;
      /** Digits behind the second. */
      readonly digits: number;
    }
  | { readonly kind: 'percent' }
  /** With zeros before it, up to so many digits. */
  | { readonly kind: 'zeros'; readonly digits: number };

const plain: NumberLook = { kind: 'number' };

/** Formats of days that are the same in all countries. */
const isKnownDay = (id: number): boolean => (id >= 14 && id <= 16) || id === 22;

/** Formats that programs know by their numbers (ECMA-376, part 1, 18.8.30): days and times. */
const isKnownDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** What a format code holds besides its signs: quoted texts, escaped characters, colours and conditions. */
const beside = /"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

function dateLook(code: string, signs: string): NumberLook {
  // LibreOffice writes "Z" as \Z.
  const [, quoted, zone = quoted ?? ''] = /(?:"(Z|[+-]\d\d:\d\d)"|\\(Z))(?=;|$)/.exec(code) ?? [];
  const [, { length: digits } = ''] = /s\.(0+)/i.exec(signs) ?? [];
  return { kind: 'date', hasDay: /d/i.test(signs), zone, digits };
}

/** How a number is shown by a format code. */
function lookOfCode(code: string): NumberLook {
  const [signs = ''] = code.replace(beside, '').split(';');
  if (signs.includes('%')) return { kind: 'percent' };
  if (/^general$/i.test(signs.trim())) return plain;
  if (/[ymdhs]/i.test(signs)) return dateLook(code, signs);
  const digits = /^[^0.]*(0{2,})/.exec(signs.replaceAll(/[#,]/g, ''))?.[1]?.length;
  return digits === undefined ? plain : { kind: 'zeros', digits };
}

function lookOf(id: number, codes: ReadonlyMap<number, NumberLook>): NumberLook {
  const own = codes.get(id);
  if (own !== undefined) return own;
  if (id === 9 || id === 10) return { kind: 'percent' };
  return isKnownDate(id) ? { kind: 'date', hasDay: isKnownDay(id), zone: '', digits: 0 } : plain;
}

/** Number formats of a workbook, and styles of its cells: spreadsheets keep some 64,000. */
const mostStyles = 250_000;

/** Throws `bad-answer` for one more than a workbook may have. */
function checkRoom(count: number): void {
  if (count >= mostStyles) throw badAnswer('limit', `it has more than ${mostStyles} styles, or formats of numbers`);
}

/** How numbers are shown, by the style of their cell. Throws `usage`. */
export function readStyles(source: PartSource, path: string | undefined): readonly NumberLook[] {
  if (path === undefined) return [];
  const codes = new Map<number, NumberLook>();
  const styles: number[] = [];
  let isCell = false;
  readWhole(source, path, {
    open({ local }, attributes) {
      if (local === 'cellXfs') isCell = true;
      if (local !== 'numFmt' && !(local === 'xf' && isCell)) return;
      checkRoom(Math.max(codes.size, styles.length));
      const id = Number(attributeOf(attributes, 'numFmtId') ?? 0);
      if (local === 'numFmt') codes.set(id, lookOfCode(attributeOf(attributes, 'formatCode') ?? ''));
      else styles.push(id);
    },
    text: () => undefined,
    close({ local }) {
      if (local === 'cellXfs') isCell = false;
    },
  });
  return styles.map((id) => lookOf(id, codes));
}
