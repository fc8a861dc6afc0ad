#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

// The user of a container is often a number that no list of users has, and libraries ask for its home and its shell.
try {
  userInfo();
} catch {
  process.env.HOME ||= '/nonexistent';
  process.env.SHELL ||= '/bin/sh';
}

// --version is answered before anything is loaded: scripts ask for it often.
if (process.argv.length === 3 && process.argv[2] === '--version') {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
} else {
  const { main, commands } = await import('../dist/start.js');
  await main(new URL('..', import.meta.url), commands);
}
