import type { Store } from './open.js';

/** Tells the rows as they are from those of any other time, whatever connection has changed them. */
function stateOf(store: Store): string {
  // As one statement, by the table pragma_data_version, it takes four times as long.
  const [own] = store.statement('SELECT total_changes()').first() ?? [];
  const [others] = store.statement('PRAGMA data_version').first() ?? [];
  return `${Number(own) - store.unseen} ${String(others)}`;
}

/**
 * Watches the rows that something was made of. What it gives is to be called before that is used: it forgets what was made
 * of rows that have changed since, and tells later whether what was begun then is of the rows as they were looked at last.
 * To be used by what only reads: what a transaction has written and then takes back is not seen as a change.
 * @param forget called at the first time too
 */
export function watchRows(store: Store, forget: () => void): () => () => boolean {
  let state = '';
  return () => {
    const now = stateOf(store);
    if (now !== state) {
      state = now;
      forget();
    }
    return () => now === state;
  };
}

/**
 * Keeps something that is made of the rows of a database, and makes it anew when they have changed.
 * @param begin makes it without anything in it
 */
export function keptOf<Kept>(begin: () => Kept): (store: Store) => Kept {
  const stores = new WeakMap<Store, () => Kept>();
  const keep = (store: Store): (() => Kept) => {
    let kept = begin();
    const look = watchRows(store, () => {
      kept = begin();
    });
    return () => {
      look();
      return kept;
    };
  };
  return (store) => {
    const ofStore = stores.get(store) ?? keep(store);
    stores.set(store, ofStore);
    return ofStore();
  };
}
