/** Name of the index within the folder of a recording. */
export const indexName = 'index.ndjson';

/** Names of the two files of a call. */
export const fileNames = (number: number): { readonly request: string; readonly answer: string } => {
  const start = String(number).padStart(4, '0');
  return { request: `${start}.request.xml`, answer: `${start}.answer.xml` };
};

/** What was answered. */
export interface RecordedAnswer {
  readonly status: number;
  /** Those that say how the body is to be read, and what the vendor may ask for. */
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the file. */
  readonly bytes: number;
  /** Places where a secret was replaced; 0 when the file is what came, to the byte. */
  readonly masked: number;
  /** False when the connection ended within the answer, or nobody read on. */
  readonly complete: boolean;
}

/** A line of the index: one attempt of one call. */
export interface RecordedCall {
  readonly number: number;
  readonly operation: string;
  readonly at: string;
  readonly url: string;
  readonly namespace: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters whose value the command made by the clock: another day it would be another one. */
  readonly filled?: readonly string[];
  readonly answer?: RecordedAnswer;
  /** Why there is no answer. */
  readonly error?: string;
}
