/** What makes two exports the same job: a journal of another job is never continued. */
export interface Fingerprint {
  readonly operation: string;
  readonly parameters: string;
  readonly url: string;
  readonly namespace: string;
  readonly database: string;
  readonly format: string;
  readonly columns: string;
  readonly pageSize: number;
  readonly firstPage: number;
  /** Everything about the looks of the file: delimiter, line ending, compression. */
  readonly looks: string;
  /** Flags that may change the bytes and are told by nothing above. */
  readonly flags?: string;
}

/** The names of what differs, with both values, for an error message. */
export function differences(kept: Fingerprint, wanted: Fingerprint): readonly string[] {
  const [before, now] = [kept, wanted].map((job) => new Map<string, unknown>(Object.entries(job)));
  const told = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
  return [...new Set([...(now?.keys() ?? []), ...(before?.keys() ?? [])])].flatMap((name) => {
    const [old, value] = [before?.get(name), now?.get(name)];
    return old === value ? [] : [`${name} was ${told(old)}, is ${told(value)}`];
  });
}
