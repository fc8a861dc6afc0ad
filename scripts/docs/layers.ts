import { createRequire } from 'node:module';
import { join } from 'node:path';
import { table } from './markdown.js';

interface Room {
  readonly floor: number;
  readonly owns: string;
}

/** The rooms of src by floor, lowest first; .dependency-cruiser.cjs holds the imports to it. */
export function layersText(root: string): string {
  const { rooms } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
    readonly rooms: Readonly<Record<string, Room>>;
  };
  return table(
    ['floor', 'room', 'what it owns'],
    Object.entries(rooms).map(([name, { floor, owns }]) => [String(floor), `\`${name}\``, owns]),
  );
}
