import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { table } from './markdown.js';

const room = (path: string): string | undefined => /^src\/([^/]+)\//.exec(path)?.[1];

/** Which rooms each room imports, as the source has it, lowest first. */
export async function floorsText(root: string): Promise<string> {
  const { output } = await cruise(['src'], { baseDir: root, tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' } });
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of (output as ICruiseResult).modules) {
    const from = room(source);
    if (from === undefined) continue;
    const known = imports.get(from) ?? new Set<string>();
    imports.set(from, known);
    for (const { resolved } of dependencies) {
      const to = room(resolved);
      if (to !== undefined && to !== from) known.add(to);
    }
  }
  const level = (name: string): number => Math.max(-1, ...[...(imports.get(name) ?? [])].map(level)) + 1;
  const rooms = [...imports.keys()].sort((a, b) => level(a) - level(b) || (a < b ? -1 : 1));
  return table(
    ['floor', 'room', 'imports'],
    rooms.map((name) => [String(level(name)), name, [...(imports.get(name) ?? [])].sort().join(', ')]),
  );
}
