#!/usr/bin/env node
// Runs the sources without a build; needs the development dependencies.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

register();
// oclif asks for the shell of the user, and the user of a container is often in no list of users (see bin/run.js).
process.env.SHELL ||= '/bin/sh';
const folder = new URL('../src/commands/', import.meta.url);
const commands = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .map((path) => [path.slice(0, -'.ts'.length).replaceAll('/', ':'), () => import(new URL(path, folder).href)]);
const { kernelCode } = await import('../scripts/kernel.ts');
globalThis.KERNEL_CODE = kernelCode();
const { main } = await import('../src/app/main.ts');
await main(fileURLToPath(new URL('..', import.meta.url)), Object.fromEntries(commands));
