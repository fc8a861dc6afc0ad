import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const packageOf = (input: string): string | undefined =>
  /^(.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(input)?.[1];

function licenceOf(folder: string): string {
  // Every package has these three.
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Readonly<
    Record<'name' | 'version' | 'license', string>
  >;
  const file = readdirSync(folder).find((path) => /^(?:licen[cs]e|copying)/i.test(path));
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}

/** The licences of the packages that are within some bundles, which ask to go with them. */
export function licences(root: string, bundles: readonly Metafile[]): string {
  const folders = new Set(bundles.flatMap(({ inputs }) => Object.keys(inputs).map(packageOf)));
  const texts = [...folders].filter((folder) => folder !== undefined).map((folder) => licenceOf(join(root, folder)));
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}
