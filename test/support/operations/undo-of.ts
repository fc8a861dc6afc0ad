import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The results of the undo of a file of rows; of the one that there is. */
export function undoOf(file: string): string {
  const folder = dirname(file);
  const form = new RegExp(`^${basename(file).replaceAll('.', '\\.')}\\.undo-[0-9a-f]{8}\\.csv`);
  const [found] = readdirSync(folder).flatMap((name) => form.exec(name)?.[0] ?? []);
  return join(folder, found ?? `${basename(file)}.undo.csv`);
}
