import type { Store } from './open.js';

/** Tells the rows as they are from those of any other time, whatever connection has changed them. */
export function stateOf(store: Store): string {
  const sql = 'SELECT total_changes(), data_version FROM pragma_data_version';
  const [own, others] = store.statement(sql).first() ?? [];
  return `${Number(own) - store.unseen} ${String(others)}`;
}
