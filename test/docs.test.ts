import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import { manifestCommands } from '../scripts/docs/manifest-read.js';
import { assumptions } from '../scripts/docs/assumptions.js';
import { commandsText } from '../scripts/docs/commands.js';
import { flagsText } from '../scripts/docs/flags.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const markdown = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const pages = ['.', 'docs', 'docs/decisions'].flatMap(markdown);

/** The anchors of a page's headings, as GitHub makes them of their text. */
function anchorsOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```.*?^```$/gms, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('Every link of a page', () => {
  for (const page of pages) {
    it(`leads to a file and a heading that are there: ${page}`, () => {
      const links = readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g);
      const broken = [...links].filter(([, file = '', anchor = '']) => {
        const target = file === '' ? page : join(dirname(page), file);
        if (!existsSync(join(root, target))) return true;
        return anchor !== '' && !anchorsOf(target).includes(anchor);
      });
      assert.deepEqual(
        broken.map(([link]) => link),
        [],
      );
    });
  }
});

describe('Every flag that a page of the docs names', () => {
  const known = new Set(
    manifestCommands(root)
      .flatMap(({ flags }) => Object.values(flags))
      .flatMap(({ name, allowNo }) => (allowNo === true ? [name, `no-${name}`] : [name])),
  );
  /** Of help, of the bench, and of other programs. */
  const others = ['help', 'version', 'all', 'allow-missing', 'quick', 'rounds', 'write', 'check'];

  for (const page of pages.filter((path) => path.startsWith('docs/') && !path.startsWith('docs/decisions/')))
    it(`is one that a command has: ${page}`, () => {
      const named = readFileSync(join(root, page), 'utf8').matchAll(/(?<![\w-])--([a-z][a-z-]*)/g);
      assert.deepEqual(
        [...named].map(([, name = '']) => name).filter((name) => !known.has(name) && !others.includes(name)),
        [],
      );
    });
});

describe('The assumptions of the sandbox', () => {
  it('decide each topic once, and give a decision and a reason in whole sentences', () => {
    assert.equal(new Set(assumptions.map(({ topic }) => topic)).size, assumptions.length);
    for (const { topic, decision, why } of assumptions) {
      assert.match(decision, /\.$/, topic);
      assert.match(why, /\.$/, topic);
    }
  });
});

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
