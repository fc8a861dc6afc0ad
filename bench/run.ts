import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { decoding } from './decoding.js';
import { paging } from './paging.js';
import { startUp } from './start-up.js';

/** Rounds of each measurement; more with `npm run bench -- --rounds 41`. */
function rounds(): number {
  const at = process.argv.indexOf('--rounds');
  const given = at === -1 ? Number.NaN : Number(process.argv[at + 1]);
  return Number.isInteger(given) && given > 0 ? given : 15;
}

const count = rounds();
const machine = `Node ${process.version}, ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), medians of ${count} rounds, candidates in turn.`;
const parts = [startUp(count), await decoding(count), await paging(Math.min(count, 7))];
const text = [machine, '', ...parts.flatMap((lines) => [...lines, ''])].join('\n');
console.log(text);

// `npm run bench -- --write` puts the figures into the page.
if (process.argv.includes('--write')) {
  const page = new URL('../docs/benchmarks.md', import.meta.url);
  const old = readFileSync(page, 'utf8');
  const [begin, end] = ['<!-- begin:figures -->', '<!-- end:figures -->'];
  writeFileSync(page, `${old.slice(0, old.indexOf(begin) + begin.length)}\n\n${text}\n${old.slice(old.indexOf(end))}`);
}
