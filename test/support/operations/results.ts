import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** What the results of a file of rows say of each row, in their order. */
export const resultsOf = (file: string): readonly Readonly<Record<string, string>>[] =>
  parse(readFileSync(`${file}.results.csv`), { columns: true });

/** The outcome of each row of a file, in their order. */
export const outcomesOf = (file: string): readonly string[] =>
  resultsOf(file).map(({ _outcome: outcome = '' }) => outcome);
