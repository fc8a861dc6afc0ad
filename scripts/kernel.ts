import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The kernel of src/soap/rows as WebAssembly: its sources are AssemblyScript, which tsc and esbuild do not take.

const folder = fileURLToPath(new URL('../src/soap/rows/', import.meta.url));
const cache = fileURLToPath(new URL('../node_modules/.cache/relctl/', import.meta.url));

const options = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--initialMemory', '64'];

const compiler = fileURLToPath(new URL('../node_modules/assemblyscript/bin/asc.js', import.meta.url));

/** The code of the kernel in base64. What was compiled of the same sources is used again. */
export function kernelCode(): string {
  const hash = createHash('sha256').update(options.join(' '));
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.assembly.ts')) hash.update(readFileSync(folder + name));
  const file = `${cache}kernel-${hash.digest('hex').slice(0, 16)}.wasm`;
  try {
    return readFileSync(file, 'base64');
  } catch {
    mkdirSync(cache, { recursive: true });
    // Processes of tests begin at the same time.
    const own = `${file}.${process.pid}`;
    execFileSync(process.execPath, [compiler, 'kernel.assembly.ts', ...options, '--baseDir', folder, '--outFile', own]);
    renameSync(own, file);
    return readFileSync(file, 'base64');
  }
}
