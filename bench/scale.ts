/** How much to measure. */
export interface Scale {
  /** Rounds in which the candidates come in turn. */
  readonly rounds: number;
  /** Rounds of what takes many seconds. */
  readonly longRounds: number;
  /** Pages of 1,000 relations that a list has. */
  readonly pages: number;
  /** Relations of lists that grow, from the smallest to the largest; also sizes of the embedded service. */
  readonly growth: readonly [few: number, many: number, most: number];
  /** Ids that are asked for, few and many. */
  readonly ids: readonly [few: number, many: number];
  /** Size of an attachment, in millions of bytes. */
  readonly megabytes: number;
  /** Size of a WSDL, in millions of bytes. */
  readonly wsdlMegabytes: number;
  /** Rows of a table. */
  readonly rows: number;
  /** Calls by which the rate of one operation is found. */
  readonly calls: number;
}

/** The scale that the goals are about. */
export const whole: Scale = {
  rounds: 9,
  longRounds: 3,
  pages: 100,
  growth: [10_000, 100_000, 1_000_000],
  ids: [6000, 60_000],
  megabytes: 100,
  wsdlMegabytes: 10,
  rows: 10_000,
  calls: 30_000,
};

/** Just enough to see that everything runs; its figures say nothing about the goals. */
export const quick: Scale = {
  rounds: 1,
  longRounds: 1,
  pages: 2,
  growth: [1000, 2000, 3000],
  ids: [20, 40],
  megabytes: 1,
  wsdlMegabytes: 0.1,
  rows: 100,
  calls: 100,
};
