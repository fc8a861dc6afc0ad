/** Columns of a table of relations. */
export const relationColumns = ['Id', 'DisplayName', 'SortingName', 'ImportKey', 'IsInactive'] as const;

/** Columns of a table of activities; nested members are nil in lists. */
export const activityColumns = ['Id', 'Number', 'Info', 'ViewSortingDate'] as const;

/** Columns of a table of labels. */
export const labelColumns = ['Id', 'Type', 'Text'] as const;

/** Columns of a table of products. */
export const productColumns = ['Id', 'Code', 'Name', 'ProductType', 'SalesPrice', 'IsInactive'] as const;

/** Columns of a table of marks. */
export const markColumns = ['Id', 'Category', 'Name', 'IsInactive'] as const;
