// Loads the program, which is one file, with the code that V8 made of it when it was built. Another version of Node does
// not take that code, and makes its own. V8 does not tell whether the code is from another platform, and can crash on it
// there: so its name says the platform, and a package that was built elsewhere runs from the source.
import { readFileSync, writeFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const name = 'relctl';
const file = fileURLToPath(new URL(`program/${name}.cjs`, import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const codeFile = fileURLToPath(new URL(`program/${name}.${platform}.code`, import.meta.url));
const require = createRequire(import.meta.url);

// V8 runs whatever code it is given: one changed bit ends in a crash, or in another result. So a checksum of four bytes
// stands behind the code; code without the right one is not used.
function kept() {
  try {
    const bytes = readFileSync(codeFile);
    const code = bytes.subarray(0, -4);
    return crc32(code) === bytes.readUInt32LE(code.length) ? code : undefined;
  } catch {
    return undefined;
  }
}

function keep(code) {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(code));
  writeFileSync(codeFile, Buffer.concat([code, sum]));
}

function script(cachedData) {
  return new Script(`(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'latin1')}\n})`, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
}

function run(prepared) {
  const loaded = { exports: {} };
  prepared.runInThisContext()(loaded.exports, require, loaded, file, dirname(file));
  return loaded.exports;
}

function load() {
  // The build sets this one, to keep what its runs have made.
  if (process.env.RELCTL_KEEP_CODE !== undefined) {
    const prepared = script(kept());
    process.on('exit', () => keep(prepared.createCachedData()));
    return run(prepared);
  }
  // Places in the sources rather than in the one file.
  if (process.env.RELCTL_DEBUG !== undefined) process.setSourceMapsEnabled(true);
  else {
    const code = kept();
    const prepared = code === undefined ? undefined : script(code);
    if (prepared?.cachedDataRejected === false) return run(prepared);
  }
  module.enableCompileCache?.();
  return require(file);
}

/** The program, and each command by its id. */
export const { main, commands } = load();
