import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from '../../host/context.js';
import { numbersIn } from '../../mirror/search/telephone.js';
import type { Database } from '../../sqlite/open.js';

const table = `
CREATE TEMP TABLE numbers (seq INTEGER PRIMARY KEY, relation TEXT NOT NULL, name TEXT, value TEXT, own TEXT NOT NULL, country TEXT NOT NULL)`;

/** A number is of a relation that is there, in whose entry of the telephone book it stands. */
const all = `
SELECT b."relation_Id", b."relation_DisplayName", i."Value"
FROM "all_telephone_numbers" i JOIN "all_telephone_book" b ON b."_seq" = i."_owner"
WHERE b."_gone_at" IS NULL AND b."relation_Id" IS NOT NULL AND i."Value" IS NOT NULL`;

const batchRows = 5000;

/**
 * Makes a temporary table of the telephone numbers of a mirror with their digits, as they are compared: `own` without the
 * country and the 0 that is dialled within it, with those of an extension behind them; `country` is empty where the number
 * does not say it.
 */
export async function addNumbers({ signal }: Context, database: Database): Promise<void> {
  database.execute(table);
  const insert = database.statement('INSERT INTO numbers (relation, name, value, own, country) VALUES (?, ?, ?, ?, ?)');
  let read = 0;
  for (const [relation = null, name = null, value = null] of database.statement(all).each()) {
    const found = numbersIn(String(value));
    const own = found.map((each) => each.own).join(' ');
    const [first] = found;
    const country = first?.isInternational === true ? first.all.slice(0, first.all.length - first.own.length) : '';
    if (/\d/.test(own)) insert.run(relation, name, value, own, country);
    if ((read += 1) % batchRows !== 0) continue;
    signal.throwIfAborted();
    await turn();
  }
  database.execute('CREATE INDEX numbers_by_own ON numbers (own)');
}
