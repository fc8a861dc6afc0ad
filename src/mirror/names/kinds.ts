/** Where the names of records of a kind stand in the mirror. */
export interface NamedTable {
  readonly table: string;
  /** Columns any of which stands for the Id where it is typed. */
  readonly keys: readonly string[];
  /** Columns that tell records of one name apart, for people. */
  readonly tells: readonly string[];
}

/** Kinds of records whose names stand for their Ids, once they are mirrored. */
const recordKinds = ['relation', 'relationship', 'activity'] as const;

/** One of those kinds. */
export type RecordKind = (typeof recordKinds)[number];

/** Kinds whose records are mirrored once `mirror add` says which of them. */
export const addedKinds: ReadonlySet<RecordKind> = new Set(['activity']);

/** True for one of them. */
export const isRecordKind = (kind: string): kind is RecordKind => recordKinds.some((each) => each === kind);

const activityTable = (table: string): NamedTable => ({
  table,
  keys: ['Number'],
  tells: ['Number', 'Info', 'ViewSortingDate'],
});

/** The tables of each kind, in which its records are looked for. */
export const namedTables: Readonly<Record<RecordKind, readonly NamedTable[]>> = {
  relation: [
    { table: 'relations', keys: ['DisplayName', 'ImportKey'], tells: ['DisplayName', 'ImportKey', 'SortingName'] },
  ],
  relationship: [
    { table: 'relationships', keys: ['DisplayName'], tells: ['DisplayName', 'Description', 'DisplayCity'] },
  ],
  activity: [activityTable('activities'), activityTable('relation_activities')],
};

/** Tables that are looked into for a kind, in words: `relations`. */
export const tablesOf = (kind: RecordKind): readonly string[] => namedTables[kind].map(({ table }) => table);
