import type { Context } from '../../host/context.js';
import { confirm } from '../../host/prompt.js';
import { findKeyring, keyringAccount } from '../../profiles/keyring.js';
import type { ProfileStore, StoredProfile } from '../../profiles/store.js';

/** References to the keyring that a profile had, and that no profile has any more. */
function leftOf(store: ProfileStore, before: StoredProfile): readonly string[] {
  const used = new Set(store.names().flatMap((name) => Object.values(store.get(name))));
  const had = Object.values(before).filter((value) => keyringAccount(value) !== undefined);
  return [...new Set(had)].filter((value): value is string => typeof value === 'string' && !used.has(value));
}

const listed = (references: readonly string[]): string =>
  references.map((reference) => keyringAccount(reference) ?? '').join(', ');

/** Says to a terminal which secrets of a profile stay in the keyring. */
export async function tellLeft(context: Context, store: ProfileStore, before: StoredProfile): Promise<void> {
  const left = leftOf(store, before);
  const { err } = context.streams;
  if (left.length > 0 && err.isTerminal) await err.write(`These stay in the keyring: ${listed(left)}\n`);
}

/** Offers to clear the secrets that a profile had in the keyring, and that nothing refers to now. Throws `local`. */
export async function offerClearing(context: Context, store: ProfileStore, before: StoredProfile): Promise<void> {
  const left = leftOf(store, before);
  if (left.length === 0) return;
  const { platform, variables } = context.environment;
  const keyring = await findKeyring({ platform, variables });
  if (keyring === undefined) return tellLeft(context, store, before);
  if (!(await confirm(context, `Clear from the keyring what no profile uses now: ${listed(left)}?`))) return;
  for (const reference of left) await keyring.clear(reference);
}
