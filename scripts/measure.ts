import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lowered, overBudget } from './measure/budgets.js';
import { countReaches, countSizes, type Counts } from './measure/counts.js';
import { measureReach } from './measure/reach.js';
import { printShape } from './measure/shape.js';

// npm run measure: figures of src, or of another folder of sources. With --check: fails when a number is above its budget in
// measure.json. With --lower: writes the lower numbers there first.

/** measure.json: the budget, and for comparison what was counted when there was none. */
interface Budgets {
  readonly budget: Counts;
  readonly first: Counts;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Compares the counts with their budgets. */
async function check(mode: '--check' | '--lower'): Promise<void> {
  const file = `${root}measure.json`;
  const { budget, first } = JSON.parse(readFileSync(file, 'utf8')) as Budgets;
  const counts = { ...countSizes(root), ...countReaches(await measureReach(root)) };
  if (mode === '--lower')
    writeFileSync(file, `${JSON.stringify({ budget: lowered(counts, budget), first }, null, 2)}\n`);
  const over = overBudget(counts, budget);
  if (over.length === 0) return;
  console.error(over.join('\n'));
  console.error('Raise a number in measure.json by hand, with the reason in the same commit.');
  process.exitCode = 1;
}

const [mode = 'src'] = process.argv.slice(2);
if (mode === '--check' || mode === '--lower') await check(mode);
else printShape(mode);
