import { sameButGuidCase } from '../lexical/values/guid.js';

/** What makes two exports the same job: only a journal of the same job is resumed. */
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
  /** How rows are written: delimiter, line ending, header, which columns. */
  readonly looks: string;
  /** The state of the mirror that names in the rows are from; missing where the rows have none. */
  readonly names?: string;
  /** Other flags that may change the bytes; missing in a journal of an earlier version. */
  readonly flags?: string;
}

/** What differs, with both values, for an error message. Flags are not compared with a journal that has none. */
export function differences(kept: Fingerprint, wanted: Fingerprint): readonly string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const old = new Map<string, unknown>(Object.entries(kept)).get(name);
    if (old === value || (name === 'flags' && old === undefined)) return [];
    // Earlier versions kept GUIDs as they were typed.
    if (typeof old === 'string' && sameButGuidCase(old, String(value))) return [];
    return [`${name} was ${JSON.stringify(old)}, is ${JSON.stringify(value)}`];
  });
}
