/** Values by dotted names, side by side. Values of JSON and Parquet are JSON texts, those of others are cells. */
export interface TableFields {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** A record of a file. */
export interface TableRow extends TableFields {
  readonly line: number;
}

/** A part of a file: first the columns, where it has a header, then its records, some at a time. */
export type TablePart =
  | { readonly kind: 'columns'; readonly names: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: readonly TableRow[] };
