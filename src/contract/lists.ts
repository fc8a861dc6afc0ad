import lists from './lists.json' with { type: 'json' };
import type { OperationName } from './service.js';

/** Kinds of records whose names stand for their Ids, once they are mirrored. */
const recordKinds = ['relation', 'relationship', 'activity'] as const;

/** One of those kinds. */
export type RecordKind = (typeof recordKinds)[number];

/** True for one of them. */
export const isRecordKind = (kind: string): kind is RecordKind => recordKinds.some((each) => each === kind);

/** A list of the service, of which a mirror has a table, and what the rest of the program does with its records. */
export interface ServiceList {
  /** What its records are, in words. */
  readonly holds: string;
  /** One of its records, where the lists within them are named by it. */
  readonly one?: string;
  readonly operation: OperationName;
  /** The member of the result that holds the records. */
  readonly shows: string;
  /** What tells its records apart, where it is not their Id: their content too, as of entries of the telephone book. */
  readonly identity?: 'content';
  /** The column of what tells them apart, where it is not `Id`. */
  readonly idColumn?: string;
  /** Columns of parameters, first in the table: column name by parameter. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Names of tables of lists within the records by path, where they are not made of both. */
  readonly lists?: Readonly<Record<string, string>>;
  /** It needs no Id: a new mirror reads it. */
  readonly usual?: boolean;
  /** Several sources of a mirror may have the same record. */
  readonly overlaps?: boolean;
  /** The members of other records that hold an Id of it, as a pattern, and columns of which the first that is not empty is its name. */
  readonly named?: { readonly members: string; readonly columns: readonly string[] };
  /** Columns any of which stands for the Id where it is typed, and those that tell records of one name apart, for people. */
  readonly names?: { readonly kind: RecordKind; readonly keys: readonly string[]; readonly tells: readonly string[] };
  /** The column of its entity type, and those that stand before columns of fields, of records that have fields. */
  readonly fields?: { readonly type: string; readonly first: readonly string[] };
  /** What `find` looks into: the name first, then the best; and a list within the records, by its table. */
  readonly search?: {
    readonly type: string;
    readonly columns: readonly string[];
    readonly list?: string;
    readonly label?: string;
  };
}

/** The lists of the service by the names of their tables, in the order in which a mirror reads them. */
export const serviceLists = Object.entries(lists as Readonly<Record<string, ServiceList>>);
