#!/usr/bin/env node
// Runs the sources without a build; needs the development dependencies.
import { register } from 'tsx/esm/api';

register();
process.env.RELCTL_SOURCES = '1';
const { main } = await import('../src/runtime/main.ts');
await main(new URL('..', import.meta.url));
