import { printRecords } from '../../cli/output/open-output.js';
import { inRole, recordWithoutPresence, req } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import { usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { tablesWith } from '../../mirror/store.js';
import type { SqlFlags } from './flags.js';
import { askedMirror } from './place.js';

const TableLine = recordWithoutPresence('MirrorTable', 'A table that can be asked by SQL.', {
  Table: inRole('key', req(string, 'Its name.')),
  Holds: inRole('words', req(string, 'What its rows are.')),
});

const more = `
Try: relctl sql "SELECT DisplayName, ImportKey FROM relations LIMIT 5"
More: relctl help sql-guide
`;

/** Shows in a terminal what can be asked. Throws `usage` where nobody reads it: a statement is missing there. */
export async function guide(context: Context, flags: SqlFlags): Promise<void> {
  const { out, err } = context.streams;
  if (!out.isTerminal) {
    throw usage('QUERY', 'QUERY is missing: the statement to ask; - reads it from stdin', 'relctl sql --help');
  }
  const { sources, views } = askedMirror(context, flags);
  const filled = new Set(sources.map(({ table }) => table));
  const tables = tablesWith(sources).filter(({ name }) => filled.has(name));
  const ofTables = tables.flatMap(({ name, holds, lists }) => [
    { Table: name, Holds: holds },
    ...lists.map((list) => ({ Table: list.name, Holds: `a list in ${name}` })),
  ]);
  const ofViews = views.map(({ name, table }) => ({
    Table: name,
    Holds: `${table} of one entity type, a column a field`,
  }));
  const rows = [...ofTables, ...ofViews];
  await printRecords(context, { flags, record: TableLine, shape: 'list' }, () => rows);
  await err.write(more);
}
