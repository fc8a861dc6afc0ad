import { charactersOf, type RecordValue } from '../../core/values/value.js';
import type { Rows, RowText } from '../../soap/codec/rows.js';
import type { OpenOverflow } from '../ids/id-set.js';
import type { Claim, Page } from '../paging.js';
import { RenderedPage } from './rendered-page.js';
import { DecodedRow, ofPage, RenderedRow, printedValue, type IdOf, type Row } from './row.js';

/** Pages that are kept to be filled again. More are not under way at once. */
const mostSpare = 16;

/** How records are rendered. */
export interface Rendering {
  /** Makes the text of a record, without its neighbours; undefined for one that must be written as a record. */
  readonly text: (record: RecordValue) => string | undefined;
  /** Gives the Id of a record, of any form; without it, that is its member Id. */
  readonly idOf?: IdOf;
  /** Records without an Id are rendered too: nobody asks for it. */
  readonly mayLackId?: boolean;
  /** Opens a file for the text of a page that is too long for memory; without it all of it is in memory. */
  readonly openFile?: OpenOverflow;
  /** `text` gives the record as JSON, which is read back when it is needed. */
  readonly isJson?: boolean;
  /** The first records of an answer, with about so many characters, stay as they are; without it none do. */
  readonly firstCharacters?: number;
  /** How rows are written without their records: what `text` gives for the same ones. */
  readonly written?: Omit<RowText, 'add' | 'programs'>;
}

/** The rows of a page from a number on. */
const rowsOf = (page: RenderedPage, first: number, count: number): readonly DecodedRow[] =>
  Array.from({ length: count }, (_, index) => new DecodedRow(page, first + index));

const memberId = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' ? Id : undefined);

/** Renders the records of lists while they are decoded, so that nothing else of them stays in memory. */
export class Renderer {
  readonly #rendering: Rendering;
  readonly #spare: RenderedPage[] = [];
  readonly #programs: RowText['programs'] = new Map();

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  /** What becomes of the records of one answer. */
  page(): Omit<Rows, 'path'> {
    const { openFile, isJson } = this.#rendering;
    const page =
      this.#spare.pop() ??
      new RenderedPage(openFile, { isJson: isJson === true, hasKeys: this.#rendering.idOf !== undefined });
    const { text: textOf, written, idOf = memberId, mayLackId = false, firstCharacters = 0 } = this.#rendering;
    let characters = 0;
    return {
      printed: printedValue,
      of(record): RecordValue {
        if (characters < firstCharacters) {
          characters += charactersOf(record);
          return record;
        }
        const id = idOf(record);
        const text = id === undefined && !mayLackId ? undefined : textOf(record);
        return text === undefined ? record : new DecodedRow(page, page.add(record, id ?? '', text));
      },
      drop: () => this.release(page),
      ...(written === undefined
        ? {}
        : {
            text: {
              ...written,
              programs: this.#programs,
              add: (batch, source) => rowsOf(page, page.addRows(batch, source), batch.rows),
            },
          }),
    };
  }

  /** Takes back the pages of rows of which nothing is needed any more. */
  releaseAll(rows: readonly Row[]): void {
    const pages = new Set<RenderedPage>();
    for (const row of rows) if (row instanceof RenderedRow) pages.add(row[ofPage]);
    for (const page of pages) this.release(page);
  }

  release(page: RenderedPage): void {
    if (this.#spare.length >= mostSpare || this.#spare.includes(page)) return;
    page.clear();
    this.#spare.push(page);
  }
}

/** The same pages. What was made of the rows of one is given back when the next one is asked for. */
export async function* released(pages: AsyncGenerator<Page, Claim>, renderer: Renderer): AsyncGenerator<Page, Claim> {
  try {
    for (let step = await pages.next(); ; step = await pages.next()) {
      if (step.done === true) return step.value;
      yield step.value;
      renderer.releaseAll(step.value.records);
    }
  } finally {
    await pages.return(undefined as never);
  }
}
