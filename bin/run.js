#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

// What stands here must run on any Node: it tells those that are too old what is needed.
const here = process.versions.node;
const [major, minor] = here.split('.').map(Number);

function refuse(why) {
  process.stderr.write(`Error: ${why}\n`);
  process.exitCode = 10;
}

// The user of a container is often a number that no list of users has, and libraries ask for its home and its shell.
// Nobody, root neither, can make a folder there.
function fillUser() {
  try {
    userInfo();
  } catch (unknown) {
    process.env.HOME = process.env.HOME || '/sys/no-home';
    process.env.SHELL = process.env.SHELL || '/bin/sh';
  }
}

/** The program; undefined where it was not built. */
async function built() {
  try {
    return await import('../dist/start.js');
  } catch (thrown) {
    const isAbsent = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ENOENT'].includes(thrown.code);
    if (!isAbsent || !/[\\/]dist[\\/]/.test(thrown.message)) throw thrown;
    return undefined;
  }
}

async function start() {
  fillUser();
  const program = await built();
  if (program === undefined) refuse('relctl is not built in this folder. Try: npm ci && npm run build');
  else await program.main(new URL('..', import.meta.url), program.commands);
}

// --version is answered before anything is loaded: scripts ask for it often.
if (process.argv.length === 3 && process.argv[2] === '--version') {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
} else if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`relctl needs Node 20.19 or newer, and this is Node ${here} (${process.execPath})`);
} else {
  await start();
}
