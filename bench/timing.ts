/** How much to measure. */
export interface Scale {
  /** Rounds in which the candidates come in turn. */
  readonly rounds: number;
  /** Pages of 1,000 relations that an export reads. */
  readonly pages: number;
  /** Pages of the larger export whose memory is looked at. */
  readonly manyPages: number;
  /** Relations of the embedded service. */
  readonly relations: number;
  /** Size of an attachment, in millions of bytes. */
  readonly megabytes: number;
  /** Rows of a table. */
  readonly rows: number;
}

/** One section of the page of benchmarks, in Markdown. */
export type Measure = (scale: Scale) => Promise<readonly string[]>;

/** Median of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** One row of a table in Markdown. */
export function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** A section with a table. */
export function section(
  title: string,
  words: string,
  table: { readonly head: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] },
): readonly string[] {
  const { head, rows } = table;
  return [
    `## ${title}`,
    '',
    words,
    '',
    row(...head),
    row(...head.map(() => '---')),
    ...rows.map((cells) => row(...cells)),
  ];
}

/** A figure, or a dash when there is none. */
export const figure = (value: number, digits = 0): string => (Number.isFinite(value) ? value.toFixed(digits) : '–');
