// The first columns have room first: what tells the records apart, then what the next command takes.

/** Columns of a table of relations. */
export const relationColumns = ['Id', 'DisplayName', 'ImportKey', 'IsInactive', 'SortingName'] as const;

/** Columns of a table of activities; nested members are nil in lists. */
export const activityColumns = ['Id', 'Number', 'Info', 'ViewSortingDate'] as const;

/** Columns of a table of labels. */
export const labelColumns = ['Id', 'Text', 'Type'] as const;

/** Columns of a table of products. */
export const productColumns = ['Id', 'Code', 'Name', 'SalesPrice', 'ProductType', 'IsInactive'] as const;

/** Columns of a table of marks. */
export const markColumns = ['Id', 'Name', 'Category', 'IsInactive'] as const;
