import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/** `--write` writes what is generated; `--check` fails when it is not what stands in the tree. */
export type Mode = 'write' | 'check';

/** The mode that the command line asks for. */
export function modeOf(argv: readonly string[]): Mode {
  if (argv.includes('--write')) return 'write';
  if (argv.includes('--check')) return 'check';
  throw new Error('say --write or --check');
}

function present(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Text in the form in which the tree keeps it. */
export async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}

/** Writes a generated file, or says that it is stale. */
export function settle(file: string, text: string, mode: Mode): void {
  if (present(file) === text) return;
  if (mode === 'write') {
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
    return;
  }
  console.error(`${file} is stale: run npm run generate`);
  process.exitCode = 1;
}
