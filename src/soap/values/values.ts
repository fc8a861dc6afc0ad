/**
 * A value as decoded from the wire or given for encoding. Absent is a missing key, nil is `null`, anything else is a
 * value ("" and [] included). `long`, `decimal`, `dateTime` and `guid` are text.
 */
export type Value = string | number | boolean | null | readonly Value[] | RecordValue;

/** A record: plain object whose own keys are the fields present, in the order of the contract, unknown ones last. */
export interface RecordValue {
  readonly [field: string]: Value;
}

/** Something odd in an answer that did not stop it: shown as a warning, counted once. */
export interface Note {
  readonly kind:
    | 'missing-field'
    | 'unknown-field'
    | 'bad-value'
    | 'unexpected-elements'
    | 'stray-text'
    | 'other-item'
    | 'out-of-order'
    | 'control-character'
    | 'content-type'
    | 'missing-list'
    | 'late-nil'
    | 'no-rows'
    | 'message';
  /** Where, without list positions: `Relations.PvRelationData.Id`. */
  readonly path: string;
  /** The odd value, when there is one. */
  readonly value?: string;
  readonly count: number;
}

/** True for a record. */
export const isRecord = (value: Value | undefined): value is RecordValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
