import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { manifestCommands, typed } from '../../scripts/docs/manifest-read.js';
import { testsByOperation } from '../../scripts/docs/tests-read.js';
import type { Operation } from '../../src/contract/build.js';
import { operations } from '../../src/contract/service.js';
import { handlerOf } from '../../src/sandbox/invoke.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const all = Object.values<Operation>(operations);

describe('Every operation of the contract', () => {
  const commands = manifestCommands(root);
  const tests = testsByOperation(root);
  const page = readFileSync(`${root}docs/operations.md`, 'utf8');

  it('is there: 32 of the document, and the telephone book that replaces one of them', () => {
    assert.equal(all.length, 33);
    assert.equal(all.filter(({ source }) => source === 'document').length, 32);
  });

  for (const operation of all) {
    const { name } = operation;
    it(`has a command, a handler, an end-to-end test and a line in the documentation: ${name}`, () => {
      const callers = commands.filter((command) => command.operations?.includes(name) === true);
      assert.ok(callers.length > 0, `no command calls ${name}: name it in the operations of one, and npm run manifest`);
      assert.ok(handlerOf(operation) !== undefined, `the sandbox has no handler for ${name}`);
      const file = tests.get(name);
      assert.ok(file !== undefined, `no file in test/operations has endToEnd(…, '${name}', {`);
      assert.ok(existsSync(`${root}${file}`));
      const line = page.split('\n').find((each) => each.startsWith(`| [${name}](`)) ?? '';
      assert.ok(line.includes(`](../${file})`), `docs/operations.md does not link ${file}: npm run docs`);
      for (const caller of callers) assert.ok(line.includes(`\`${typed(caller)}\``), line);
    });
  }

  it('is what the commands, handlers and tests are for: none of them names another', () => {
    const known = new Set(all.map(({ name }) => name));
    for (const command of commands) {
      for (const name of command.operations ?? []) assert.ok(known.has(name), `${typed(command)}: ${name}`);
    }
    for (const name of tests.keys()) assert.ok(known.has(name), name);
  });
});
