import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assumptionsText } from './docs/assumptions.js';
import { commandsText } from './docs/commands.js';
import { environmentText } from './docs/environment.js';
import { exitCodesText } from './docs/exit-codes.js';
import { faultsText } from './docs/faults.js';
import { flagsText } from './docs/flags.js';
import { formatsText } from './docs/formats.js';
import { layersText } from './docs/layers.js';
import { operationsText } from './docs/operations.js';
import { recordsText } from './docs/records.js';
import { settingsText } from './docs/settings.js';
import { formatted, modeOf, settle } from './generated.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The marked region of each page, and who writes it. */
const regions: readonly (readonly [page: string, region: string, text: () => string | Promise<string>])[] = [
  ['docs/architecture.md', 'layers', () => layersText(root)],
  ['docs/exit-codes.md', 'exit-codes', exitCodesText],
  ['docs/operations.md', 'operations', () => operationsText(root)],
  ['docs/records.md', 'records', recordsText],
  ['docs/assumptions.md', 'assumptions', assumptionsText],
  ['docs/commands.md', 'commands', () => commandsText(root)],
  ['docs/profiles.md', 'settings', settingsText],
  ['docs/sandbox.md', 'faults', faultsText],
  ['docs/formats.md', 'formats', formatsText],
  ['docs/flags.md', 'flags', () => flagsText(root)],
  ['docs/values.md', 'environment', () => environmentText(root)],
];

function withRegion(page: string, region: string, text: string): string {
  const [begin, end] = [`<!-- begin:${region} -->`, `<!-- end:${region} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`there is no region ${region}`);
  return `${page.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${page.slice(to)}`;
}

const mode = modeOf(process.argv);
for (const [page, region, text] of regions) {
  const file = `${root}${page}`;
  settle(file, await formatted(file, withRegion(readFileSync(file, 'utf8'), region, await text())), mode);
}
