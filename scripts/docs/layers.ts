import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { table } from './markdown.js';

interface Room {
  readonly owns: string;
  readonly uses: readonly string[];
}

/** The module folders by the layers that their imports in the source make, lowest first. */
export async function layersText(root: string): Promise<string> {
  const { rooms } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
    readonly rooms: Readonly<Record<string, Room>>;
  };
  const names = Object.keys(rooms);
  const roomOf = (path: string): string | undefined => names.find((name) => path.startsWith(`src/${name}/`));
  const { output } = await cruise(['src'], {
    ...{ baseDir: root, tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } },
  });
  const imports = new Map<string, Set<string>>(names.map((name) => [name, new Set()]));
  for (const { source, dependencies } of (output as ICruiseResult).modules) {
    const from = roomOf(source);
    if (from === undefined) continue;
    for (const { resolved } of dependencies) {
      const to = roomOf(resolved);
      if (to !== undefined && to !== from) imports.get(from)?.add(to);
    }
  }
  const levels = new Map<string, number>();
  const level = (name: string): number => {
    const known = levels.get(name) ?? Math.max(-1, ...[...(imports.get(name) ?? [])].map(level)) + 1;
    levels.set(name, known);
    return known;
  };
  const lowestFirst = [...imports.keys()].sort((a, b) => level(a) - level(b) || (a < b ? -1 : 1));
  return table(
    ['layer', 'folder', 'what it owns'],
    lowestFirst.map((name) => [String(level(name)), `\`${name}\``, rooms[name]?.owns ?? '']),
  );
}
