import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { decoding } from './decoding.js';
import { embedded } from './embedded.js';
import { exporting } from './exporting.js';
import { large } from './large.js';
import { memory } from './memory.js';
import { startUp } from './start-up.js';
import type { Measure, Scale } from './timing.js';

// npm run bench -- [--rounds N] [--only NAME] [--relations N] [--small] [--write]

const measures = { 'start-up': startUp, decoding, exporting, memory, embedded, large } satisfies Record<
  string,
  Measure
>;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', multiple: true, default: Object.keys(measures) },
    relations: { type: 'string', default: '1000000' },
    small: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

function count(name: 'rounds' | 'relations'): number {
  const given = Number(values[name]);
  if (!Number.isInteger(given) || given < 1) throw new Error(`--${name} takes a whole number above 0`);
  return given;
}

const whole: Scale = {
  rounds: count('rounds'),
  pages: 100,
  manyPages: 1000,
  relations: count('relations'),
  megabytes: 100,
  rows: 10_000,
};

/** Just enough to see that everything runs; no figures to look at. */
const small: Scale = { rounds: 1, pages: 2, manyPages: 3, relations: 2000, megabytes: 1, rows: 100 };

const scale = values.small ? small : whole;
const unknown = values.only.find((name) => !Object.hasOwn(measures, name));
if (unknown !== undefined) throw new Error(`no measure '${unknown}'; there are ${Object.keys(measures).join(', ')}`);

const machine = `Node ${process.version}, ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), medians of at most ${scale.rounds} rounds, candidates in turn.`;
const parts: string[] = [machine, ''];
for (const [name, measure] of Object.entries(measures)) {
  if (!values.only.includes(name)) continue;
  const lines = await measure(scale);
  parts.push(...lines, '');
  console.log(`${lines.join('\n')}\n`);
}

if (values.write) {
  const page = new URL('../docs/benchmarks.md', import.meta.url);
  const old = readFileSync(page, 'utf8');
  const [begin, end] = ['<!-- begin:figures -->', '<!-- end:figures -->'];
  const text = parts.join('\n');
  writeFileSync(page, `${old.slice(0, old.indexOf(begin) + begin.length)}\n\n${text}\n${old.slice(old.indexOf(end))}`);
}
