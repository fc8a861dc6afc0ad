import data from './data/odd.json' with { type: 'json' };

/** What is odd about a relation: members that replace the usual ones. null: the member is left out. */
export interface OddRelation {
  readonly DisplayName?: string;
  readonly SortingName?: string;
  readonly Info?: string | null;
  readonly ImportKey?: string | null;
  readonly IsDummy?: true;
  readonly IsInactive?: true;
  /** Has no field values at all. */
  readonly fields?: 'none';
}

const longText = 'Een lange notitie die nergens ophoudt; met “aanhalingstekens”, & en <haken>. '.repeat(450).trimEnd();

/** Relations that show what real data holds, by index: each line is there because some program once fell over it. */
export const oddRelations = { ...data, 12: { Info: longText } } as Readonly<Record<number, OddRelation>>;
