import type { RelctlError } from '../../errors/relctl-error.js';
import { isGuid } from '../../lexical/values/guid.js';
import { damaged as damagedMirror } from '../../mirror/damaged.js';
import type { Hit } from '../../mirror/search/find.js';
import type { FindFlags } from './flags.js';

/** The error for what no sync writes, with what removes it. */
export const damaged = ({ mirror }: Pick<FindFlags, 'mirror'>, what: string): RelctlError =>
  damagedMirror(what).but(mirror === undefined ? { hint: 'relctl mirror remove --all' } : {});

/** Throws `local` for an Id that is no GUID: it would stand in commands that are pasted, and in those of scripts. */
export function checkId(flags: Pick<FindFlags, 'mirror'>, table: string, id: string): void {
  if (!isGuid(id)) throw damaged(flags, `an Id in ${table} that is no GUID, '${id.slice(0, 100)}'`);
}

/** The same for all that was found. A telephone number may have no relation. */
export function checkIds(flags: Pick<FindFlags, 'mirror'>, hits: readonly Hit[]): void {
  for (const { table, id, type } of hits) if (id !== '' || type !== 'telephone') checkId(flags, table, id);
}
