import { spreadsheet, xmlDeclaration } from './xml.js';

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
