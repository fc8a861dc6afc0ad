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
