import { readFileSync } from 'node:fs';
import type { ManifestCommand } from '../../scripts/docs/manifest-read.js';

const text = readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8');

/** All commands of the program by their ids, hidden ones too. */
export const { commands } = JSON.parse(text) as {
  readonly commands: Readonly<Record<string, ManifestCommand & { readonly hidden?: boolean }>>;
};
