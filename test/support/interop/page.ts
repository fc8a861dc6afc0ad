import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatted } from '../../../scripts/generated.js';

const file = fileURLToPath(new URL('../../../docs/interop.md', import.meta.url));

/** The page as it stands, and as it ought to stand with this text in a marked region. */
export async function pageWith(region: string, text: string): Promise<{ present: string; wanted: string }> {
  const present = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- begin:${region} -->`, `<!-- end:${region} -->`];
  const [from, to] = [present.indexOf(begin), present.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`there is no region ${region}`);
  // Only the region: how the rest is laid out is nothing that this run found.
  const inner = (await formatted(file, text)).trimEnd();
  return { present, wanted: `${present.slice(0, from + begin.length)}\n\n${inner}\n\n${present.slice(to)}` };
}

/** Whether a run is to write down what it found, rather than to hold the page to it. */
export const writesPage = process.env['INTEROP_WRITE'] === '1';

/** Writes the page. */
export const writePage = (text: string): void => writeFileSync(file, text);
