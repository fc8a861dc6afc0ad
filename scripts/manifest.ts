import { Plugin } from '@oclif/core';
import { fileURLToPath } from 'node:url';
import { formatted, modeOf, settle } from './generated.js';

/** The manifest of the built commands: what oclif reads instead of loading every command. */
async function manifest(root: string): Promise<string> {
  const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true });
  await plugin.load();
  const commands = Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ ...plugin.manifest, commands: Object.fromEntries(commands) }, null, 2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const file = `${root}oclif.manifest.json`;
settle(file, await formatted(file, await manifest(root)), modeOf(process.argv));
