// npm run bench -- [SECTION…] [--quick] [--write] [--check [--allow-missing]] [--rounds N]
import { readFileSync, writeFileSync } from 'node:fs';
import { goals } from './goals.js';
import { readOptions } from './options.js';
import { readOrigin } from './origin.js';
import { goalLines, originLines, replaceFigures, sectionLines } from './page.js';
import { quick, whole, type Scale } from './scale.js';
import type { Section } from './section.js';
import { sections } from './sections/index.js';
import { judge, refusals, type Outcome } from './verdict.js';

const options = readOptions(process.argv.slice(2), Object.keys(sections));
const { rounds } = options;
const usual: Scale = options.isQuick ? quick : whole;
const scale = rounds === undefined ? usual : { ...usual, rounds, longRounds: Math.min(rounds, usual.longRounds) };

/** What a section found, or how it failed: a failure must not lose the sections beside it. */
async function outcomeOf(section: Section): Promise<Outcome> {
  try {
    return await section.measure(scale);
  } catch (failed) {
    console.error(failed);
    return { failed: failed instanceof Error ? failed.message : String(failed) };
  }
}

const print = (lines: readonly string[]): void => console.log(`${lines.join('\n')}\n`);

const before = readOrigin();
const outcomes = new Map<string, Outcome>();
const tables: string[] = [];
for (const [name, section] of Object.entries(sections)) {
  if (!options.sections.includes(name)) continue;
  const outcome = await outcomeOf(section);
  outcomes.set(name, outcome);
  const lines = sectionLines(section.title, outcome);
  print(lines);
  tables.push('', ...lines);
}

const asked = goals.filter(({ section }) => options.sections.includes(section));
const verdicts = judge(asked, outcomes);
const head = originLines(before, readOrigin(), scale).join('\n\n').split('\n');
const smallWords = options.isQuick ? ['', '**A quick run: its figures say nothing about the goals.**'] : [];
const summary = [...head, ...smallWords, '', ...goalLines(verdicts)];
print(summary);

if (options.isWritten) {
  const page = new URL('../docs/benchmarks.md', import.meta.url);
  writeFileSync(page, replaceFigures(readFileSync(page, 'utf8'), [...summary, ...tables]));
}
const refused = options.isCheck ? refusals(verdicts, options.mayBeUnmeasured) : [];
for (const { goal, verdict } of refused) console.error(`${verdict}: ${goal.section}: ${goal.what}`);
const hasFailed = [...outcomes.values()].some((outcome) => 'failed' in outcome);
if (refused.length > 0 || hasFailed) process.exitCode = 1;
