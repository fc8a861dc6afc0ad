import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { helpPages } from '../../../src/app/help/page-names.js';
import { ends, home, relctl } from '../../support/relctl.js';

interface Flag {
  readonly name: string;
  readonly summary?: string;
  readonly hidden?: boolean;
  readonly helpGroup?: string;
  readonly helpValue?: string;
}

interface CommandText {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly examples: readonly string[];
  readonly operations?: readonly string[];
  readonly args?: Readonly<Record<string, { readonly description?: string }>>;
  readonly flags: Readonly<Record<string, Flag>>;
}

const inRoot = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const { commands } = JSON.parse(inRoot('oclif.manifest.json')) as {
  readonly commands: Readonly<Record<string, CommandText>>;
};
const { oclif } = JSON.parse(inRoot('package.json')) as {
  readonly oclif: { readonly topics: Readonly<Record<string, { readonly description: string }>> };
};

/** Groups that help explains on one page for all commands. */
const shared = ['OUTPUT', 'CSV', 'CONNECTION', 'GLOBAL'];
const all = Object.values(commands);
const flagsOf = ({ flags }: CommandText): readonly Flag[] =>
  Object.values(flags).filter(({ hidden }) => hidden !== true);
const isShared = ({ helpGroup = '' }: Flag): boolean => shared.includes(helpGroup);
const place = home();

async function help(args: readonly string[], columns?: string): Promise<string> {
  const env = columns === undefined ? place.env : { ...place.env, COLUMNS: columns };
  return (await ends(relctl(args, { env }), 0, '')).stdout;
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');
/** A text with one blank where there are line breaks and blanks. */
const flowing = (text: string): string => text.replace(/\s+/g, ' ');
/** What a shell makes of a text that is pasted: a backslash before a line break joins the lines. */
const pasted = (text: string): string => flowing(text.replace(/\\\n/g, ' '));

function assertFits(text: string, width: number): void {
  assert.deepEqual(
    linesOf(text).filter((line) => line.length > width && /\S \S/.test(line)),
    [],
  );
  assert.doesNotMatch(text, /[ \t]$|\n{4}/m);
}

/** True when a text names a flag, and not only another one that begins with its name. */
const names = (text: string, { name }: Flag): boolean => new RegExp(`--(?:\\[no-\\])?${name}(?![\\w-])`).test(text);

describe('The short help of a command', () => {
  for (const command of all) {
    const { id, summary, examples, operations } = command;
    const words = id.split(':');
    it(`fits on a screen of 32 lines by 80 columns, with usage, examples and each own flag: ${words.join(' ')}`, async () => {
      const text = await help([...words, '-h']);
      assertFits(text, 80);
      assert.ok(linesOf(text).length <= 32, String(linesOf(text).length));
      assert.ok(flowing(text).startsWith(flowing(summary)));
      assert.match(text, new RegExp(`^Usage: relctl ${words.join(' ')}`, 'm'));
      const typed = examples.slice(0, 3).map((example) => example.replaceAll('<%= config.bin %>', 'relctl'));
      for (const example of typed) assert.ok(pasted(text).includes(`$ ${flowing(example)}`), example);
      const own = flagsOf(command).filter((flag) => !isShared(flag));
      assert.deepEqual(
        own.filter((flag) => !names(text, flag)),
        [],
      );
      for (const name of operations ?? []) assert.ok(flowing(text).includes(name));
      assert.match(text, /^Flags of many commands: -.*see relctl help flags$/m);
      assert.match(text, new RegExp(`relctl ${words.join(' ')} --help$`, 'm'));
      const narrow = (await help([...words, '-h'], '60')).replace(/^EXAMPLES\n(?: {2}.*\n)+/m, '');
      assertFits(narrow, 60);
    });
  }

  it('names the flags that find no place, in one list behind the others', async () => {
    const text = await help(['relation', 'list', '-h']);
    const explained = [...text.matchAll(/^ {2}(?:-\w, | {4})?--(?:\[no-\])?([\w-]+)/gm)].map(([, name]) => name);
    const more = /^ {2}More: ((?:.|\n {8})*)$/m.exec(text)?.[1] ?? '';
    const named = [...more.matchAll(/--([\w-]+)/g)].map(([, name]) => name);
    const list = commands['relation:list'] ?? assert.fail('there is no relation list');
    const own = flagsOf(list).filter((flag) => !isShared(flag));
    assert.ok(named.length > 0 && explained.length > named.length, more);
    assert.deepEqual([...explained, ...named].sort(), own.map(({ name }) => name).sort());
  });
});

describe('The whole help of a command', () => {
  for (const command of all) {
    const { id, description = '', examples, operations } = command;
    it(`says all of it once, in 80 columns and in 60: ${id.replaceAll(':', ' ')}`, async () => {
      const text = await help([...id.split(':'), '--help']);
      assertFits(text, 80);
      assert.ok(flowing(text).includes(flowing(description).trim()));
      for (const example of examples.map((each) => each.replaceAll('<%= config.bin %>', 'relctl')))
        assert.ok(pasted(text).includes(`$ ${flowing(example)}`), example);
      for (const flag of flagsOf(command)) {
        assert.ok(names(text, flag), flag.name);
        assert.equal(
          flowing(text).includes(flowing((flag.summary ?? '').replace(/\.$/, ''))),
          !isShared(flag),
          flag.name,
        );
      }
      for (const name of operations ?? []) assert.ok(flowing(text).includes(name));
      const narrow = (await help([...id.split(':'), '--help'], '60')).replace(/^EXAMPLES\n(?: {2}.*\n)+/m, '');
      assertFits(narrow, 60);
    });
  }

  it('is what `relctl help COMMAND` prints, and the short one what `-h` behind it does', async () => {
    assert.equal(await help(['help', 'relation', 'get']), await help(['relation', 'get', '--help']));
    assert.equal(await help(['help', 'relation', 'get', '-h']), await help(['relation', 'get', '-h']));
    assert.equal(await help(['relation', 'get', '-h', '--help']), await help(['relation', 'get', '--help']));
  });
});

describe('The help of a topic', () => {
  it('is that of its command where there is one, with what stands below it', async () => {
    for (const [id, below] of [['operations', 'diff|import']] as const) {
      assert.ok(flowing(await help([...id.split(' '), '-h'])).includes(`Also: relctl ${id} ${below}`));
      const whole = flowing(await help([...id.split(' '), '--help']));
      for (const word of below.split('|')) assert.ok(whole.includes(`relctl ${id} ${word} `), word);
    }
  });

  for (const [id, { description }] of Object.entries(oclif.topics)) {
    it(`lists what stands below it: ${id}`, async () => {
      const text = await help([...id.split(':'), '-h']);
      assertFits(text, 80);
      assert.ok(flowing(text).startsWith(description));
      for (const command of all.filter((each) => each.id.startsWith(`${id}:`)))
        assert.ok(
          flowing(text).includes(`relctl ${command.id.replaceAll(':', ' ')} ${flowing(command.summary)}`),
          command.id,
        );
    });
  }
});

describe('relctl alone', () => {
  it('shows a first command that works as it stands, and the five that people use most', async () => {
    const text = await help([]);
    assertFits(text, 80);
    assert.ok(linesOf(text).length <= 32);
    assert.equal(text, await help(['-h']));
    const [, first = ''] = /^TRY IT.*\n {2}\$ relctl (.*)$/m.exec(text) ?? [];
    const { stdout } = await ends(relctl(first.split(' '), { env: place.env }), 0);
    assert.match(stdout, /DisplayName/);
    const used = /^MOST USED\n((?: {2}.*\n)+)/m.exec(text)?.[1] ?? '';
    const named = [...used.matchAll(/^ {2}relctl ([a-z -]+[a-z])/gm)].map(([, words = '']) =>
      words.trim().replaceAll(' ', ':'),
    );
    assert.equal(named.length, 5);
    assert.deepEqual(
      named.filter((id) => commands[id] === undefined),
      [],
    );
  });

  it('shows with --help every topic, every command outside of one, and every page', async () => {
    const text = await help(['--help']);
    assertFits(text, 80);
    assert.equal(text, await help(['help']));
    const words = Object.keys(oclif.topics).filter((id) => !id.includes(':'));
    const single = all.map(({ id }) => id).filter((id) => !id.includes(':'));
    for (const name of [...words, ...single, ...Object.keys(helpPages)])
      assert.match(text, new RegExp(`^ {2}${name} {2,}\\S`, 'm'));
  });
});

describe('A page of help', () => {
  const names = (folder: string): readonly string[] =>
    readdirSync(new URL(`../../../${folder}`, import.meta.url))
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.slice(0, -'.md'.length));

  it('is there for each page of the docs, under its name', () => {
    assert.deepEqual(Object.keys(helpPages).sort(), names('docs').toSorted());
  });

  for (const name of Object.keys(helpPages)) {
    it(`holds every word of the page that is installed, in 80 columns: ${name}`, async () => {
      const text = await help(['help', name]);
      const source = inRoot(`docs/${name}.md`);
      // A line of code stays as it is, but for a command, and a text in quotes is one word.
      const code = new Set(source.split('\n').map((line) => line.trim()));
      const wide = linesOf(text).filter((line) => line.length > 80 && !code.has(line.trim()));
      assert.deepEqual(
        wide.filter((line) => /\S \S/.test(line.replace(/^ +--\w+ '[^']*'$/, ''))),
        [],
      );
      const known = new Set(
        flowing(text)
          .toLowerCase()
          .match(/[a-z]+/g),
      );
      const bare = source.replace(/<!--.*?-->|\]\([^)]*\)|^```.*$/gms, (all) => (all.startsWith('```') ? '' : ' '));
      const absent = (bare.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => !known.has(word));
      assert.deepEqual([...new Set(absent)], []);
      assert.doesNotMatch(text, /\]\(|\*\*|<!--|^```|^ *\|.*\|$/m);
    });
  }

  it('of a topic or a command stands behind the help of that, and `-h` and `--help` show that alone', async () => {
    const taken = [...Object.keys(oclif.topics), ...all.map(({ id }) => id)];
    const both = Object.keys(helpPages).filter((name) => taken.includes(name));
    assert.deepEqual(both.toSorted(), ['mcp', 'mirror', 'operations', 'sandbox', 'writes']);
    for (const name of both) {
      const own = await help([name, '--help']);
      const text = await help(['help', name]);
      assert.ok(text.startsWith(own), name);
      const [, title = ''] = /^# (.*)$/m.exec(inRoot(`docs/${name}.md`)) ?? [];
      assert.ok(text.slice(own.length).startsWith(`\n${title.toUpperCase()}\n`), name);
      assert.equal(await help(['help', name, '--help']), own);
      assert.equal(await help(['help', name, '-h']), await help([name, '-h']));
    }
  });

  it('that there is not is answered by the nearest that there is, with exit code 2', async () => {
    const near = { exitcodes: 'exit-codes', flgs: 'flags', relaton: 'relation', profils: 'profiles' };
    for (const [typed, wanted] of Object.entries(near)) {
      await ends(relctl(['help', typed], { env: place.env }), 2, new RegExp(`Try: relctl help ${wanted}$`, 'm'), '');
    }
    await ends(relctl(['help', 'xyzzyxyzzy'], { env: place.env }), 2, /Try: relctl --help$/m);
  });
});

describe('relctl help words', () => {
  it('explains the words of the service that names of commands and flags consist of', async () => {
    const text = await help(['help', 'words']);
    const words = Object.keys(oclif.topics).map((id) => id.split(':')[0] ?? '');
    const ofRelctl = 'field export bookmark name operations profile recording sandbox mirror writes'.split(' ');
    const ofService = words.filter((word) => !ofRelctl.includes(word));
    for (const word of [...ofService, 'entity type', 'step', 'involved', 'queue', 'user', 'field'])
      assert.match(text, new RegExp(`^ {2}${word} {2,}\\S`, 'm'));
  });

  it('says of each command that takes a GUID, and of each flag that does, where that comes from', async () => {
    const [, table = ''] = flowing(await help(['help', 'words'], '200')).split('WHERE EACH GUID COMES FROM');
    for (const { id, args = {}, flags } of all) {
      const takesId = Object.values(args).some(({ description = '' }) => /^Id of the (?!field)/.test(description));
      const words = id.split(':');
      if (takesId) assert.ok(table.includes(words.join(' ')) || table.includes(`${words.at(-1) ?? ''},`), id);
      for (const { name, helpValue } of Object.values(flags))
        if (/^(?:GUID|ID\b)/.test(String(helpValue))) assert.ok(table.includes(name), `${id} --${name}`);
    }
  });
});

describe('relctl help --all', () => {
  it('prints every command and every page', async () => {
    const text = await help(['help', '--all']);
    for (const { id } of all) assert.ok(text.includes(`RELCTL ${id.replaceAll(':', ' ').toUpperCase()}\n`), id);
    for (const name of Object.keys(helpPages)) {
      const [, title = ''] = /^# (.*)$/m.exec(inRoot(`docs/${name}.md`)) ?? [];
      assert.ok(text.includes(`${title.toUpperCase()}\n`), title);
    }
  });
});

describe('Help', () => {
  after(() => place.remove());

  it('has bold headings in a terminal that has colour, and nothing but text elsewhere', async () => {
    const escape = '\u001b[';
    assert.ok(!(await help(['relation', 'list', '--help'])).includes(escape));
    const { stdout } = await relctl(['relation', 'list', '--help'], { env: { ...place.env, FORCE_COLOR: '1' } });
    assert.ok(stdout.includes(`${escape}1mEXAMPLES${escape}22m\n`));
    assert.equal(stdout.replaceAll(/\u001b\[\d+m/g, ''), await help(['relation', 'list', '--help']));
  });

  it('is as wide as COLUMNS says', async () => {
    const widest = async (columns: string): Promise<number> =>
      Math.max(...linesOf(await help(['help', 'exit-codes'], columns)).map(({ length }) => length));
    assert.ok((await widest('120')) > 100);
    assert.ok((await widest('120')) <= 120);
    assert.ok((await widest('80')) <= 80);
  });

  it('of a command names no file of the docs, which nobody finds in an installed package', async () => {
    for (const { id } of all) assert.doesNotMatch(await help([...id.split(':'), '--help']), /docs\/|\.md\b/, id);
    assert.doesNotMatch(await help(['--help']), /docs\/|\.md\b/);
  });
});
