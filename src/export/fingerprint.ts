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
  /** Flags that may change the bytes and are told by nothing above; a journal of an earlier version tells none. */
  readonly flags?: string;
}

/** The names of what differs, with both values, for an error message. Flags that the kept one does not tell differ in nothing. */
export function differences(kept: Fingerprint, wanted: Fingerprint): readonly string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const old = new Map<string, unknown>(Object.entries(kept)).get(name);
    if (old === value || (name === 'flags' && old === undefined)) return [];
    return [`${name} was ${JSON.stringify(old)}, is ${JSON.stringify(value)}`];
  });
}
