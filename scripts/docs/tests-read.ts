import { readdirSync, readFileSync } from 'node:fs';

const folder = 'test/operations';
const written = /^ *endToEnd\(\w+, '(\w+)', \{$/gm;

/** The file with the end-to-end test of each operation, by the name of the operation; paths from the root. */
export function testsByOperation(root: string): ReadonlyMap<string, string> {
  const files = readdirSync(`${root}${folder}`).filter((name) => name.endsWith('.test.ts'));
  return new Map(
    files.flatMap((name) => {
      const file = `${folder}/${name}`;
      return [...readFileSync(`${root}${file}`, 'utf8').matchAll(written)].map(
        ([, operation = '']) => [operation, file] as const,
      );
    }),
  );
}
