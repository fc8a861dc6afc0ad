import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/sandbox/store/open.js';
import { costOf, relctl } from '../../child.js';
import { cleanEnv } from '../../place.js';
import { databaseIn } from '../../service.js';

/** The code of a product of the bench. */
export const codeOf = (index: number): string => `B${String(index).padStart(7, '0')}`;

/** Makes data of the embedded service in a folder, with so many more products, all like the first one. */
export async function makeProducts(folder: string, count: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const args = ['sandbox', 'reset', '--yes', '--db', databaseIn(folder), '--relations', '60', '--quiet'];
  await costOf({ command: [...relctl, ...args], env: cleanEnv(folder) });
  const store = openStore(databaseIn(folder));
  const columns = store
    .statement(`SELECT name FROM pragma_table_info('PvProductData_V2') WHERE name <> 'seq'`)
    .all()
    .map(([name]) => `"${String(name)}"`);
  const own: Readonly<Record<string, string>> = {
    '"Id"': `printf('%08x-0061-4000-8000-000000000001', value)`,
    '"Code"': `printf('B%07d', value)`,
  };
  store.execute(
    `INSERT INTO "PvProductData_V2" (${columns.join(', ')})
       SELECT ${columns.map((name) => own[name] ?? name).join(', ')}
       FROM (SELECT * FROM "PvProductData_V2" LIMIT 1),
         (WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < ${count - 1}) SELECT value FROM n)`,
  );
  store.close();
}

/** Writes a file that gives each product of the bench a price. */
export function writePrices(folder: string, count: number, price: string): string {
  const file = join(folder, 'prices.csv');
  const lines = Array.from({ length: count }, (_, index) => `${codeOf(index)},${price}\n`);
  writeFileSync(file, `Code,SalesPrice\n${lines.join('')}`);
  return file;
}
