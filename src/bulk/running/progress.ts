import { seconds, shareOf, type ProgressLine } from '../../host/progress.js';

const rate = (rows: number, elapsed: number): string => `${((rows * 1000) / elapsed).toFixed(1)} rows/s`;

/** Tells how many rows were checked; how many there are is known at the end only. Call it for each. */
export function tellChecked(line: ProgressLine): () => void {
  let rows = 0;
  return () => {
    rows += 1;
    line.tell((elapsed) => `${rows} rows checked, ${rate(rows, elapsed)}, ${seconds(elapsed)}`);
  };
}

/** Tells how many rows of some have ended, how many do in a second, and how long the rest takes. Call it for each. */
export function tellEnded(line: ProgressLine, count: number): () => void {
  let ended = 0;
  return () => {
    ended += 1;
    line.tell((elapsed) => {
      const share = shareOf({ done: ended, before: 0, of: count }, elapsed);
      return `${ended} of ${count} rows${share}, ${rate(ended, elapsed)}`;
    });
  };
}
