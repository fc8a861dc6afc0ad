import { nameColumn } from '../../mirror/changes.js';
import { callPrefix } from '../../mirror/of-call/names.js';
import type { MirrorTable } from '../../mirror/tables.js';

/** Queries that show what a table is for, by its name. */
const queries: Readonly<Record<string, string>> = {
  relations: "SELECT Id, DisplayName FROM relations WHERE DisplayName LIKE '%veen%' ORDER BY DisplayName LIMIT 10",
  telephone_numbers:
    'SELECT relation_DisplayName, Value FROM telephone_numbers JOIN telephone_book ON relation_Id = _owner LIMIT 10',
  relation_field_values:
    'SELECT DisplayName, v.Id AS Field, Value FROM relation_field_values v JOIN relations r ON r.Id = v._owner LIMIT 10',
  products: 'SELECT Code, Name, SalesPrice FROM products ORDER BY Code LIMIT 10',
  activities: 'SELECT Number, Info, ViewSortingDate FROM activities ORDER BY ViewSortingDate_instant DESC LIMIT 10',
  relation_activities:
    'SELECT DisplayName, Number, a.Info FROM relation_activities a JOIN relations r ON r.Id = a.RelationId ORDER BY ViewSortingDate_instant DESC LIMIT 10',
  relation_marks:
    'SELECT r.DisplayName, m.Name FROM relation_marks c JOIN relations r ON r.Id = c.RelationId JOIN marks m ON m.Id = c.MarkId LIMIT 10',
};

/**
 * A query of a table, or of a list in it, to begin with; it runs in each mirror.
 * @param name name of the table or of its list
 */
export function queryOf(name: string, table: MirrorTable): string {
  const known = queries[name];
  if (known !== undefined) return known;
  if (name !== table.name) return `SELECT * FROM ${name} LIMIT 10`;
  const own = [...new Set([table.idColumn, nameColumn(table) ?? table.idColumn])];
  // Names that others gave may be words of SQL.
  const columns = (name.startsWith(callPrefix) ? own.map((column) => `"${column}"`) : own).join(', ');
  return `SELECT ${columns} FROM ${name} LIMIT 10`;
}
