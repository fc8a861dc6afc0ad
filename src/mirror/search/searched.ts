import kinds from '../kinds.json' with { type: 'json' };

/** A list within the records of a table, of which one column is searched. */
export interface SearchedList {
  readonly base: string;
  readonly column: string;
  readonly label: string;
  readonly isNumber?: boolean;
}

/** What is searched of a table of a mirror. */
export interface Searched {
  readonly type: string;
  readonly table: string;
  readonly base: string;
  readonly id: string;
  readonly name: string;
  /** Columns that are searched, the best first. */
  readonly columns: readonly string[];
  readonly lists: readonly SearchedList[];
}

interface Kind {
  readonly search?: {
    readonly type: string;
    /** The name first, then what else is searched, the best first. */
    readonly columns: readonly string[];
    /** A list of which the values are searched. */
    readonly list?: string;
    readonly label?: string;
  };
}

const telephoneNumbers: Searched = {
  type: 'telephone',
  table: 'telephone_book',
  base: 'all_telephone_book',
  id: 'relation_Id',
  name: 'relation_DisplayName',
  columns: [],
  lists: [{ base: 'all_telephone_numbers', column: 'Value', label: 'Value', isNumber: true }],
};

function searched([table, { search }]: readonly [string, Kind]): readonly Searched[] {
  if (search === undefined) return [];
  const { type, columns, list, label = '' } = search;
  const lists = list === undefined ? [] : [{ base: `all_${list}`, column: 'Value', label }];
  return [{ type, table, base: `all_${table}`, id: 'Id', name: columns[0] ?? '', columns, lists }];
}

/** What is searched, in the order in which equally good hits are shown. */
export const searchedTables: readonly Searched[] = [
  telephoneNumbers,
  ...Object.entries(kinds as Readonly<Record<string, Kind>>).flatMap(searched),
];
