import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsText } from '../scripts/docs/commands.js';
import { flagsText } from '../scripts/docs/flags.js';

const flag = (name: string, helpGroup: string, summary = `Means ${name}.`) => ({
  [name]: { name, helpGroup, summary, type: 'option', helpValue: 'X' },
});
const connection = { ...flag('profile', 'CONNECTION'), ...flag('trace', 'CONNECTION'), ...flag('soap', 'CONNECTION') };
const paging = { ...flag('limit', 'PAGING'), ...flag('page', 'PAGING') };
const command = (id: string, flags: object) => ({
  [id]: { id, summary: `Does ${id}.`, examples: [`relctl ${id}`], flags },
});

describe('The pages of commands and flags', () => {
  let root: string;
  before(() => {
    root = `${mkdtempSync(join(tmpdir(), 'relctl-test-'))}/`;
    const quiet = flag('quiet', 'GLOBAL');
    const commands = {
      ...command('a:get', { ...connection, ...quiet }),
      ...command('a:list', { ...connection, ...paging, ...flag('group', 'FIND'), ...quiet }),
      ...command('b:list', { ...connection, ...paging, ...flag('limit', 'PAGING', 'Other words.'), ...quiet }),
      ...command('c:list', { ...flag('profile', 'CONNECTION'), ...paging, ...quiet }),
      ...command('d:list', { ...paging, ...quiet }),
    };
    writeFileSync(`${root}oclif.manifest.json`, JSON.stringify({ commands }));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  /** What stands below the heading of a command. */
  const about = (name: string): readonly string[] =>
    (commandsText(root).split(`### ${name}\n`)[1]?.split('### ')[0] ?? '').split('\n').filter((line) => line !== '');

  it('list the flags of a command that few others have, and link the groups of the others', () => {
    assert.deepEqual(about('a list').slice(-3), [
      'Usage: `relctl a list`',
      '- `--group X`: Means group.',
      'Shared flags: [calls](flags.md#of-every-command-that-calls-the-service); [lists](flags.md#of-lists).',
    ]);
  });

  it('say which of a group a command has where it has not all, and list a flag that means something else there', () => {
    assert.deepEqual(about('b list').slice(-2), [
      '- `--limit X`: Other words.',
      'Shared flags: [calls](flags.md#of-every-command-that-calls-the-service); [lists](flags.md#of-lists) (page).',
    ]);
    assert.deepEqual(about('c list').slice(-1), [
      'Shared flags: [calls](flags.md#of-every-command-that-calls-the-service) (profile); [lists](flags.md#of-lists).',
    ]);
  });

  it('explain each shared flag once', () => {
    const text = flagsText(root);
    for (const name of ['quiet', 'profile', 'trace', 'soap', 'limit', 'page'])
      assert.equal(text.split(`| \`--${name} X\` | Means ${name}. |`).length, 2, name);
    assert.ok(!text.includes('group'));
  });
});
