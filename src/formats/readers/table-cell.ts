import { forMessage } from '../../core/text/text.js';
import { isErrorWord, lengthBeforeCut, textBehindQuote, textOfFormula } from '../../core/text/spreadsheet.js';
import type { Cell } from './input.js';

/** What a cell stands in: separated values as --excel writes them, or not; or a workbook. */
type TableKind = 'for-excel' | 'separated' | 'workbook';

const exactly = 'write the text to the letter in NDJSON';

/** The words for a text that may be another one, which a spreadsheet was kept from changing. */
const doubtful = (text: string, other: string): Cell => ({
  text,
  wrong: `may be ${forMessage(text)} or ${forMessage(other)}, which a spreadsheet was kept from changing: write the one that is meant, a text that looks so in NDJSON`,
  isWhole: true,
});

/**
 * The cell of a text that stands in a table or a workbook: without what this program wrote around it for a spreadsheet, or
 * what is wrong with it where nobody knows which text is meant.
 */
export function tableCell(text: string, kind: TableKind): Cell {
  const first = text[0];
  if (first === '=') {
    const given = textOfFormula(text);
    if (given !== undefined) return kind === 'for-excel' ? given : doubtful(text, given);
  }
  if (first === "'") {
    const behind = textBehindQuote(text);
    if (behind !== undefined) return doubtful(text, behind);
  }
  // In a workbook an error is a type of its own.
  if (kind !== 'workbook' && isErrorWord(text))
    return {
      text,
      wrong: `is the error ${text.trim()} of a spreadsheet: mend its formula, or ${exactly}`,
      isWhole: true,
    };
  const length = text.endsWith(')') ? lengthBeforeCut(text) : undefined;
  if (length === undefined) return text;
  return {
    text,
    wrong: `is the beginning of a text of ${length} characters, which a workbook cannot hold: leave the column out, or take it from CSV`,
    isWhole: true,
  };
}
