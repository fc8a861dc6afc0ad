/** A list within the records of a table, of which one column is searched. */
export interface SearchedList {
  /** Name of its base table. */
  readonly base: string;
  readonly column: string;
  /** What it is called in a hit. */
  readonly label: string;
  /** Its values are telephone numbers. */
  readonly isNumber?: boolean;
}

/** What is searched of a table of a mirror. */
export interface Searched {
  /** What its rows are, in a word. */
  readonly type: string;
  /** Name of the table of the mirror. */
  readonly table: string;
  /** Name of its base table. */
  readonly base: string;
  /** Column with the Id that a hit leads to. */
  readonly id: string;
  /** Column with the name that a hit shows. */
  readonly name: string;
  /** Columns that are searched, the best first. */
  readonly columns: readonly string[];
  readonly lists: readonly SearchedList[];
}

interface Kind {
  readonly type: string;
  /** The name first, then what else is searched, the best first. */
  readonly columns: readonly [string, ...string[]];
  readonly lists?: readonly SearchedList[];
}

const fieldValues = (one: string): readonly SearchedList[] => [
  { base: `all_${one}_field_values`, column: 'Value', label: 'FieldValues' },
];

const translations: SearchedList = { base: 'all_datastore_item_translations', column: 'Value', label: 'Translations' };

const kinds: Readonly<Record<string, Kind>> = {
  relations: {
    type: 'relation',
    columns: ['DisplayName', 'ImportKey', 'SortingName'],
    lists: fieldValues('relation'),
  },
  relationships: {
    type: 'relationship',
    columns: ['DisplayName', 'SortingName', 'DisplayCity'],
    lists: fieldValues('relationship'),
  },
  products: { type: 'product', columns: ['Name', 'Code'] },
  marks: { type: 'mark', columns: ['Name', 'Category', 'ExternalDescription'] },
  campaign_marks: { type: 'campaign-mark', columns: ['Name', 'Category', 'ExternalDescription'] },
  sbi_codes: { type: 'sbi-code', columns: ['Description', 'Code'] },
  system_datastores: { type: 'system-datastore', columns: ['Description', 'Code'] },
  datastore_items: { type: 'datastore-item', columns: ['Description'], lists: [translations] },
  workflow_steps: { type: 'workflow-step', columns: ['Name', 'Code'] },
  workflow_fields: { type: 'workflow-field', columns: ['UserFriendlyName', 'Name', 'Label'] },
  activities: { type: 'activity', columns: ['Info', 'Number'], lists: fieldValues('activity') },
  relation_activities: {
    type: 'relation-activity',
    columns: ['Info', 'Number'],
    lists: fieldValues('relation_activity'),
  },
};

const telephoneNumbers: Searched = {
  type: 'telephone',
  table: 'telephone_book',
  base: 'all_telephone_book',
  id: 'relation_Id',
  name: 'relation_DisplayName',
  columns: [],
  lists: [{ base: 'all_telephone_numbers', column: 'Value', label: 'Value', isNumber: true }],
};

const searched = ([table, { type, columns, lists = [] }]: readonly [string, Kind]): Searched => ({
  type,
  table,
  base: `all_${table}`,
  id: 'Id',
  name: columns[0],
  columns,
  lists,
});

/** What is searched, in the order in which equally good hits are shown. */
export const searchedTables: readonly Searched[] = [telephoneNumbers, ...Object.entries(kinds).map(searched)];
