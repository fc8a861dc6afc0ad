import { tablesWith, type Source } from './store.js';
import type { MirrorTable } from './tables.js';

/** What happened to a record. */
type Change = 'added' | 'changed' | 'gone';

/** A record that a sync added, changed or found gone. */
export interface ChangedRow {
  readonly table: string;
  readonly change: Change;
  /** When the sync ended. */
  readonly at: string;
  readonly id: string | null;
  /** What the record is called; null where it has no name. */
  readonly name: string | null;
}

/** Changes that are asked for. */
export interface WantedChanges {
  /** Those of syncs that ended at this time or later: UTC, to the millisecond. */
  readonly since: string;
  readonly tables: readonly MirrorTable[];
}

/** Which records of a table are wanted. */
export interface Wanted {
  /** Those that are gone, in the place of those that are there. */
  readonly isGone: boolean;
  /** Only those that came or changed with a sync that ended at this time or later. */
  readonly changedSince: string | undefined;
}

/** The column that says what a record is called. */
export const nameColumn = ({ record, columns }: MirrorTable): string | undefined => {
  const named = Object.entries(record.fields).find(([, { role }]) => role === 'name')?.[0];
  return (
    columns.find(({ name }) => name === named)?.name ?? columns.find(({ name }) => /DisplayName$/.test(name))?.name
  );
};

/** What happened to a record, by the times of the syncs that counted: the last thing, and what came and went is gone. */
export function changeOf(times: {
  readonly gone: string | null;
  readonly added: string | null;
  readonly changed: string | null;
}): Pick<ChangedRow, 'change' | 'at'> {
  const { gone, added, changed } = times;
  if (gone !== null) return { change: 'gone', at: gone };
  return added === null ? { change: 'changed', at: String(changed) } : { change: 'added', at: added };
}

/** The tables that some names mean, in a mirror of some sources; all without names. Gives the first name that means none. */
export function tablesOf(
  names: readonly string[],
  sources: readonly Pick<Source, 'own'>[],
): readonly MirrorTable[] | string {
  const all = tablesWith(sources);
  const unknown = names.find((name) => all.every((table) => table.name !== name));
  return unknown ?? all.filter(({ name }) => names.length === 0 || names.includes(name));
}
