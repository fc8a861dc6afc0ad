import type { ConnectionFlags } from '../../kit/flags/common.js';
import { profileOf } from '../../kit/session/profile-store.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import type { LedgerEntry } from '../../state/ledger/entry.js';
import { readLedger } from '../../state/ledger/ledger.js';
import { ledgerFolder } from '../../lists/record/recorded.js';

type ProfileFlags = Partial<Pick<ConnectionFlags, 'profile'>>;

/** The writes of a profile, the oldest first. Throws `local`, `profile`. */
export const writesOf = (context: Context, flags: ProfileFlags): readonly LedgerEntry[] =>
  readLedger(ledgerFolder(context), profileOf(context, flags).name);

/** Stands for the write that was begun last. */
export const lastWord = 'last';

/** The write of an id, of which the beginning is enough, or the last one. Throws `not-found`, and `usage` when several begin so. */
export function writeNamed(context: Context, id: string, flags: ProfileFlags): LedgerEntry {
  const all = writesOf(context, flags);
  const isNamed = ({ begun }: LedgerEntry): boolean => id !== '' && begun.id.startsWith(id.toLowerCase());
  const found = id === lastWord ? all.slice(-1) : all.filter(isNamed);
  const [entry, second] = found;
  if (entry === undefined) {
    throw new RelctlError('not-found', `the ledger has no write '${id}'`, {
      facts: { profile: profileOf(context, flags).name },
      hint: 'relctl writes list',
    });
  }
  if (second === undefined) return entry;
  const ids = found.map(({ begun }) => begun.id).slice(0, 5);
  throw usage('ID', `several writes begin with '${id}': ${ids.join(', ')}`);
}

/** How a write ended: without a word about it nobody knows. */
export const outcomeOf = ({ ended }: LedgerEntry): string => ended?.outcome ?? 'unknown';
