import { Plugin } from '@oclif/core';
import { fileURLToPath } from 'node:url';
import { modeOf, settle } from './generated.js';

/** Members by which oclif finds the module of a command: the program has a table of its own, which the build makes. */
const finding: ReadonlySet<string> = new Set(['isESM', 'pluginAlias', 'pluginName', 'pluginType', 'relativePath']);

/** Whether a member says no more than its absence. */
const isEmpty = (value: unknown): boolean =>
  value === false || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** A value without empty and false members, in any depth. */
function lean(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, lean(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

/** The manifest of the built commands, a command a line: what help, completion and job files read in place of all commands. */
async function manifest(root: string): Promise<string> {
  const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true });
  await plugin.load();
  const { version, commands } = plugin.manifest;
  const lines = Object.entries(commands)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, command]) => {
      const facts = Object.entries(command).filter(([name]) => !finding.has(name));
      return `${JSON.stringify(id)}:${JSON.stringify(lean(Object.fromEntries(facts)))}`;
    });
  return `{"version":${JSON.stringify(version)},"commands":{\n${lines.join(',\n')}\n}}\n`;
}

const root = fileURLToPath(new URL('..', import.meta.url));
settle(`${root}oclif.manifest.json`, await manifest(root), modeOf(process.argv));
