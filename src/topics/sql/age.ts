import { oldestSync, tellAge as tellSync } from '../../cli/mirror/age.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import type { FieldView } from '../../mirror/fields/plan.js';
import type { SourceState } from '../../mirror/store.js';
import { mirrorTables } from '../../mirror/tables.js';
import type { Statement } from '../../sql/statement.js';

/** Names of a table and of the lists in it, as a statement may have them. */
const namesOf = (table: string): readonly string[] =>
  [table, ...(mirrorTables.get(table)?.lists.map(({ name }) => name) ?? [])].flatMap((name) => [name, `all_${name}`]);

/** The tables of the mirror that a statement names. */
export function tablesIn({ tokens }: Statement, views: readonly FieldView[]): readonly string[] {
  const named = new Set(tokens.map(({ name }) => name.toLowerCase()));
  return [...mirrorTables.keys()].filter((table) =>
    [...namesOf(table), ...views.filter((view) => view.table === table).map(({ name }) => name.toLowerCase())].some(
      (name) => named.has(name),
    ),
  );
}

/**
 * Says how old the tables are that a statement names: the oldest of them, in a terminal and beside JSON. That one was never
 * filled is said everywhere, because its rows are not those of the service.
 */
export async function tellAge(
  context: Context,
  flags: { readonly quiet?: boolean | undefined },
  asked: {
    readonly statement: Statement;
    readonly sources: readonly SourceState[];
    readonly views: readonly FieldView[];
  },
): Promise<void> {
  const tables = tablesIn(asked.statement, asked.views);
  const filling = asked.sources.filter(({ table }) => tables.includes(table));
  const empty = tables.find((name) => !filling.some(({ table, syncedAt }) => table === name && syncedAt !== undefined));
  if (empty !== undefined) await note(context, flags, `${empty} was never filled: see relctl mirror status`);
  await tellSync(context, flags, oldestSync(asked.sources, tables));
}
