import {
  type Entry,
  type PlacedEntry,
  emptyTally,
  outcomes,
  type Outcome,
  type Tally,
} from '../../state/ledger/outcome.js';

/** How many rows are kept together. */
const blockRows = 65_536;

const emptyBlock = () => ({
  outcomes: new Uint8Array(blockRows),
  // Where the last line of each row is in the journal: its number, place and length.
  lines: new Uint32Array(blockRows),
  places: new Float64Array(blockRows),
  lengths: new Uint32Array(blockRows),
});

/** How the rows of a batch stand by its journal: 17 bytes a row. */
export class RowStates {
  readonly #blocks = new Map<number, ReturnType<typeof emptyBlock>>();

  /** Undefined for a row of which nothing was ever sent or said. */
  of(row: number): Outcome | undefined {
    const code = this.#blocks.get(Math.floor(row / blockRows))?.outcomes[row % blockRows] ?? 0;
    return outcomes[code - 1];
  }

  /** Where the last line of a row is; undefined for a row without one. */
  lineOf(row: number): { readonly line: number; readonly place: number; readonly length: number } | undefined {
    const block = this.#blocks.get(Math.floor(row / blockRows));
    const at = row % blockRows;
    if (block === undefined || block.outcomes[at] === 0) return undefined;
    return { line: block.lines[at] ?? 0, place: block.places[at] ?? 0, length: block.lengths[at] ?? 0 };
  }

  take({ entry, line, place, length }: PlacedEntry): void {
    const number = Math.floor(entry.row / blockRows);
    const block = this.#blocks.get(number) ?? emptyBlock();
    const at = entry.row % blockRows;
    this.#blocks.set(number, block);
    block.outcomes[at] = outcomes.indexOf(outcomeIn(entry)) + 1;
    block.lines[at] = line;
    block.places[at] = place;
    block.lengths[at] = length;
  }

  /**
   * How many rows there are of each outcome.
   * @param rows how many there are in all; those of which nothing is known count as `not sent`
   */
  tally(rows: number): Tally {
    const tally = emptyTally();
    for (let row = 0; row < rows; row += 1) tally[this.of(row) ?? 'not sent'] += 1;
    return tally;
  }
}

/** What an entry says of its row: one that is sent is unknown until it ends. */
const outcomeIn = (entry: Entry): Outcome => ('ends' in entry ? entry.ends.outcome : 'unknown');
