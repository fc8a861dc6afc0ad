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
