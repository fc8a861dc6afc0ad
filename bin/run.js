#!/usr/bin/env node
'use strict';
// CommonJS, by the package.json beside it: Node starts a module of the other kind a fifth later.
const { existsSync, readFileSync } = require('node:fs');
const { userInfo } = require('node:os');
const { join } = require('node:path');

// What stands here must run on any Node: it tells those that are too old what is needed.
const root = join(__dirname, '..');
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

function start() {
  fillUser();
  const file = join(root, 'dist', 'start.cjs');
  const program = existsSync(file) ? require(file) : undefined;
  if (program === undefined) refuse('relctl is not built in this folder. Try: npm ci && npm run build');
  else program.main(root, program.commands);
}

// --version is answered before anything is loaded: scripts ask for it often.
if (process.argv.length === 3 && ['--version', '-V', '-v', 'version'].includes(process.argv[2])) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // A reader that has gone wants no more; a full disk is a failure.
  process.stdout.on('error', ({ code }) => {
    if (code !== 'EPIPE') refuse(`cannot write to stdout: ${code === 'ENOSPC' ? 'the disk is full' : code}`);
  });
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
} else if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`relctl needs Node 20.19 or newer, and this is Node ${here} (${process.execPath})`);
} else {
  start();
}
