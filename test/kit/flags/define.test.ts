import assert from 'node:assert/strict';
import { Config, Flags, Parser, type Command } from '@oclif/core';
import { argument, checkValues, option, switchFlag, tellingFlags } from '../../../src/kit/flags/define.js';
import '../../../src/lists/list-flags.js';
import { guidArg, timeOption, wholeOption } from '../../../src/kit/flags/kinds.js';
import { wholeOf } from '../../../src/kit/flags/readers.js';

const small = wholeOption({ least: 1, most: 9 });
const flags = {
  one: small({ summary: 'One.' }),
  many: small({ summary: 'Many.', multiple: true, multipleNonGreedy: true }),
  usual: small({ summary: 'Usual.', default: 5 }),
  text: Flags.string({ summary: 'Text.' }),
  on: switchFlag({ summary: 'On.' }),
};

/** What the parser of oclif makes of a command line, checked as each command checks it. */
async function parsed(argv: readonly string[], more: { args?: object; flags?: object } = {}): Promise<object> {
  const found = await Parser.parse([...argv], { args: more.args ?? {}, flags: more.flags ?? flags } as never);
  checkValues(found.args, found.flags);
  return { ...found.args, ...found.flags };
}

describe('A flag', () => {
  it('has the value that its reader makes of the text, in a list as well', async () => {
    assert.deepEqual(await parsed(['--one', '3', '--many', '1', '--many=2', '--text', '4']), {
      one: 3,
      many: [1, 2],
      usual: 5,
      text: '4',
      on: false,
    });
    assert.deepEqual(await parsed(['--on', '--usual', '9']), { usual: 9, on: true });
  });

  it('that holds what its reader refuses is an error in the words of the reader', async () => {
    const takes = (flag: string, text: string): object => ({
      kind: 'usage',
      message: `${flag} takes a whole number from 1 to 9, not '${text}'`,
      facts: { path: flag },
    });
    await assert.rejects(parsed(['--one', '0']), takes('--one', '0'));
    await assert.rejects(parsed(['--many', '1', '--many', 'x']), takes('--many', 'x'));
    await assert.rejects(parsed(['--usual=10']), takes('--usual', '10'));
  });

  it('that is missing comes before one that holds something wrong', async () => {
    const both = { ...flags, needed: small({ summary: 'Needed.', required: true }) };
    await assert.rejects(parsed(['--one', '0'], { flags: both }), /Missing required flag needed/);
  });

  it('has a reader that fails with anything else as a defect, not as a mistake of the user', async () => {
    const broken = option((): string => {
      throw new TypeError('broken');
    });
    await assert.rejects(parsed(['--x', '1'], { flags: { x: broken({}) } }), { kind: 'bug', message: 'broken' });
  });
});

describe('An argument', () => {
  it('is read and refused by its name in capitals', async () => {
    const count = argument((text, name) => wholeOf(text, name, { least: 1, most: 9 }));
    const args = { 'how-many': count({ required: true }) };
    assert.deepEqual(await parsed(['7'], { args, flags: {} }), { 'how-many': 7 });
    await assert.rejects(parsed(['70'], { args, flags: {} }), { message: /^HOW-MANY takes a whole number/ });
  });

  it('that holds no GUID is refused', async () => {
    const args = { id: guidArg('Id.') };
    await assert.rejects(parsed(['7'], { args, flags: {} }), { message: /^ID takes a GUID such as .*, not '7'$/ });
  });
});

describe('A time', () => {
  const flag = { from: timeOption({ summary: 'From.' }) };
  for (const text of [
    '2026-01-31',
    '2026-01-31T09:30',
    'now',
    'today',
    '-7d',
    '-2h',
    '0001-01-01',
    '-700000d',
    '+261000w',
  ])
    it(`may be ${text}, as far as its form goes`, async () => {
      assert.deepEqual(await parsed([`--from=${text}`], { flags: flag }), { from: text });
    });
  for (const text of ['', 'soon', '2026-02-30', '2026-01-31T25:00', '7d-'])
    it(`is never ${JSON.stringify(text)}`, async () => {
      await assert.rejects(parsed([`--from=${text}`], { flags: flag }), { message: /^--from takes a time such as / });
    });
});

describe('The flags of an export', () => {
  it('that are not neutral are told, whoever made them up, and those that were not given are not', () => {
    const given = {
      workflow: ['b', 'a'],
      'made-up': 1,
      limit: 5,
      columns: 'Id',
      quiet: true,
      'lock-wait': 3,
      from: 'now',
    };
    assert.equal(tellingFlags({ ...given, off: false, left: undefined }), '{"made-up":1,"workflow":["b","a"]}');
    assert.equal(tellingFlags({ limit: 5, resume: true, output: 'csv', delimiter: ';', 'include-fields': true }), '');
  });
});

describe('The commands', () => {
  it('have no option with a placeholder of a type that nothing checks', async () => {
    const config = await Config.load({ root: new URL('../../../', import.meta.url).pathname });
    const loose: string[] = [];
    for (const command of config.commands) {
      const file = `../../../src/commands/${command.id.replaceAll(':', '/')}.js`;
      const { flags: own } = ((await import(file)) as { default: Command.Class }).default;
      for (const [name, flag] of Object.entries(own)) {
        const { helpValue = '' } = flag as { helpValue?: string };
        const isTyped = /^(?:GUID|N|TIME|DURATION|DECIMAL|COUNT|PERCENT|true\|false|FORMAT)$/.test(helpValue);
        if (isTyped && !('reader' in flag)) loose.push(`${command.id} --${name}`);
      }
    }
    assert.deepEqual(loose, []);
  });
});
