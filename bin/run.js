#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';

// A container's user may have no home at all, and libraries ask for one as they load.
try {
  homedir();
} catch {
  process.env.HOME = '/nonexistent';
}

// --version is answered before anything is loaded: scripts ask for it often.
if (process.argv.length === 3 && process.argv[2] === '--version') {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
} else {
  const { main } = await import('../dist/runtime/main.js');
  await main(new URL('..', import.meta.url));
}
