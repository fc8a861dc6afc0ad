/** The first line of each part of a workbook. */
export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Namespace of sheets, styles and the list of sheets. */
export const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

// What XML cannot carry is written as the format's own escape; a text that looks like one is escaped too.
const escaped = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\r\ufffe\uffff]|\p{Surrogate}|_(?=x[0-9A-Fa-f]{4}_)|[&<>]/gu;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The text of an element of a sheet. */
export function xmlText(value: string): string {
  return value.replace(escaped, (character) => {
    const entity = entities[character];
    return entity ?? `_x${(character.charCodeAt(0) || 0).toString(16).toUpperCase().padStart(4, '0')}_`;
  });
}

/** A cell that holds a text. */
export const textCell = (text: string, style: number): string =>
  `<c${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

/** Numbers of the cell styles that every workbook has. */
export const fixedStyles = { plain: 0, header: 1, text: 2 } as const;

const builtIn: Readonly<Record<string, number>> = { '0': 1, '0.00': 2 };

/** Numbers below are those of formats that programs know. */
const firstOwn = 164;

/** A service that sends times of ever other zones must not fill a workbook with formats. */
const mostFormats = 100;

/** The ways in which the numbers of one workbook are shown, numbered as they are needed. */
export class Styles {
  readonly #formats = new Map<string, number>();

  /** The number of the style that shows a number by this format code; undefined when there are too many of them. */
  of(code: string): number | undefined {
    const known = this.#formats.get(code);
    if (known !== undefined) return known;
    if (this.#formats.size === mostFormats) return undefined;
    const style = fixedStyles.text + 1 + this.#formats.size;
    this.#formats.set(code, style);
    return style;
  }

  /** The part of the workbook that says what each style is. */
  xml(): string {
    const own = [...this.#formats.keys()].filter((code) => builtIn[code] === undefined);
    const idOf = (code: string): number => builtIn[code] ?? firstOwn + own.indexOf(code);
    const formats = own.map(
      (code) => `<numFmt numFmtId="${idOf(code)}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
    );
    const shown = [...this.#formats.keys()].map(
      (code) => `<xf numFmtId="${idOf(code)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    );
    const cells = [
      '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
      '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>',
      '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
      ...shown,
    ];
    const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
    return (
      `${xmlDeclaration}<styleSheet xmlns="${spreadsheet}">` +
      (own.length === 0 ? '' : `<numFmts count="${own.length}">${formats.join('')}</numFmts>`) +
      `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>` +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    );
  }
}
