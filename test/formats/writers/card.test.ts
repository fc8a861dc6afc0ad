import assert from 'node:assert/strict';
import fc from 'fast-check';
import { displayWidth } from '../../../src/formats/layout/width.js';
import { chosenColumns } from '../../../src/formats/columns.js';
import { cardFormat } from '../../../src/formats/writers/card.js';
import { anyText, hostile, unseen, person, printed } from '../../support/output/print.js';

describe('A card', () => {
  it('has one field a line, nil as a dash, and leaves out what is absent', async () => {
    const record = { Id: 'a', Name: '日本', Balance: null, Home: { City: 'Łódź' }, Marks: ['x'] };
    assert.equal(
      await printed(cardFormat, [[record]]),
      'Id         a\n' + 'Name       日本\n' + 'Balance    -\n' + 'Home.City  Łódź\n' + 'Marks      x\n',
    );
  });

  it('has a nil record as one dash, whatever its members', async () => {
    const record = { Id: 'a', Home: null };
    assert.equal(await printed(cardFormat, [[record]]), 'Id    a\nHome  -\n');
  });

  it('has the unit of a number of seconds', async () => {
    const columns = chosenColumns(person, 'Id').map((column) => ({ ...column, role: 'seconds' as const }));
    assert.equal(await printed(cardFormat, [[{ Id: 600 }]], { columns }), 'Id  600 s\n');
    assert.equal(await printed(cardFormat, [[{ Id: null }]], { columns }), 'Id  -\n');
  });

  it('parts records by a blank line, whatever batches they come in', async () => {
    const columns = chosenColumns(person, 'Id');
    const [one, two, three] = [{ Id: '1' }, { Id: '2' }, { Id: '3' }];
    for (const batches of [[[one, two, three]], [[one], [two], [three]], [[], [one, two], [], [three]]])
      assert.equal(await printed(cardFormat, batches, { columns, isChosen: true }), 'Id  1\n\nId  2\n\nId  3\n');
  });

  it('is nothing for no record', async () => assert.equal(await printed(cardFormat, [[]]), ''));

  it('cuts nothing where nobody looks, and keeps the line breaks of a text', async () => {
    const Name = 'a long name '.repeat(50).trim();
    assert.equal(await printed(cardFormat, [[{ Name }]]), `Name  ${Name}\n`);
    const record = { Id: 'a', Name: 'one\r\ntwo\n\nthree' };
    assert.equal(await printed(cardFormat, [[record]]), 'Id    a\nName  one\n      two\n\n      three\n');
  });

  it('wraps at words, behind the title, in a terminal', async () => {
    const record = { Name: 'one two three four five six seven eight nine', Home: { City: 'Łódź' } };
    assert.equal(
      await printed(cardFormat, [[record]], { width: 50 }),
      'Name       one two three four five six seven eight\n           nine\nHome.City  Łódź\n',
    );
  });

  it('has a title for which there is no room on a line of its own, and never breaks an Id', async () => {
    const Id = '00000000-0000-4000-8000-000000000001';
    const record = { Id, Home: { City: 'Łódź' } };
    assert.equal(await printed(cardFormat, [[record]], { width: 40 }), `Id  ${Id}\nHome.City  Łódź\n`);
    assert.equal(await printed(cardFormat, [[{ Id }]], { width: 38 }), `Id\n  ${Id}\n`);
    const City = 'a city with a name that takes two lines';
    assert.equal(
      await printed(cardFormat, [[{ Id, Home: { City } }]], { width: 40 }),
      `Id  ${Id}\nHome.City\n    a city with a name that takes two\n    lines\n`,
    );
  });

  it('cuts no Id, however narrow the terminal', async () => {
    const Id = '00000000-0000-4000-8000-000000000001';
    for (const width of [1, 2, 5, 20]) {
      const shown = await printed(cardFormat, [[{ Id }]], { width });
      assert.equal(shown.replace(/^Id|\s/g, ''), Id);
    }
  });

  it('has as many items of a list on a line as fit', async () => {
    const Marks = ['a mark of some length', 'another', 'a third mark of some length', 'x'];
    const at = (width: number): Promise<string> => printed(cardFormat, [[{ Marks }]], { width });
    assert.equal(await at(45), 'Marks  a mark of some length; another;\n       a third mark of some length; x\n');
    assert.equal(await at(44), 'Marks  a mark of some length; another;\n       a third mark of some length; x\n');
    assert.equal(await at(80), `Marks  ${Marks.join('; ')}\n`);
  });

  it('fits any width from 40, whatever the characters', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 40, max: 120 }), async (text, width) => {
        const lines = (await printed(cardFormat, [[{ Name: text, Marks: [text, 'x'] }]], { width })).split('\n');
        for (const line of lines) assert.ok(displayWidth(line) <= width, line);
      }),
      { numRuns: 300 },
    );
  });

  describe('of a long text', () => {
    const lines = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line + 1}`).join('\n');

    it('shows twelve lines in a terminal, its size, and what shows all', async () => {
      assert.equal(
        await printed(cardFormat, [[{ Name: lines(450) }]], { width: 80 }),
        `Name  ${lines(12).replaceAll('\n', '\n      ')}\n      … (3,941 characters; -o json --columns Name prints all)\n`,
      );
      assert.doesNotMatch(await printed(cardFormat, [[{ Name: lines(12) }]], { width: 80 }), /…/);
      assert.match(await printed(cardFormat, [[{ Name: lines(13) }]], { width: 80 }), /line 12\n +… \(94 characters/);
    });

    it('counts characters, not the places that they take', async () => {
      const shown = await printed(cardFormat, [[{ Name: '😀'.repeat(1000) }]], { width: 80 });
      assert.match(shown, /… \(1,000 characters/);
      assert.equal(shown.split('😀').length - 1, 12 * 37);
    });

    it('is bounded whatever it is made of', async () => {
      for (const text of ['x'.repeat(2e7), '\u0301'.repeat(1e6), '\n'.repeat(1e6)]) {
        const shown = await printed(cardFormat, [[{ Name: text }]], { width: 80 });
        assert.match(shown, /0,000 characters/);
        assert.ok(shown.length < 10_000);
      }
    });

    it('is shown whole where the command cannot be repeated', async () => {
      const shown = await printed(cardFormat, [[{ Name: lines(450) }]], { width: 80, isOnce: true });
      assert.equal(shown.split('\n').length, 451);
    });

    it('names what shows a member that has no column', async () => {
      const shown = await printed(cardFormat, [[{ New: lines(450) }]], { width: 80 });
      assert.match(shown, /… \(3,941 characters; -o json prints all\)/);
    });
  });

  it('shows fields that the contract does not know, after those that it knows, also nil', async () => {
    assert.equal(
      await printed(cardFormat, [[{ New: { x: 1 }, Gone: null, Id: 'a' }]]),
      'Id    a\nNew   {"x":1}\nGone  -\n',
    );
  });

  it('shows the chosen columns and nothing else', async () => {
    const columns = chosenColumns(person, 'Home.City,Id');
    const record = { Id: 'a', Name: 'b', Home: { City: 'c', Zip: 'd' }, New: 'e' };
    assert.equal(await printed(cardFormat, [[record]], { columns, isChosen: true }), 'Home.City  c\nId         a\n');
  });

  it('has colour for the names only, and only where it is allowed', async () => {
    const columns = chosenColumns(person, 'Id');
    assert.equal(await printed(cardFormat, [[{ Id: 'a' }]], { columns, hasColor: true }), '\u001b[2mId\u001b[22m  a\n');
  });

  for (const [name, text] of Object.entries(hostile)) {
    it(`neutralises ${name} in values and in unknown names`, async () => {
      const lines = (await printed(cardFormat, [[{ Name: text, Marks: [text], [text]: text }]])).split('\n');
      for (const line of lines) assert.doesNotMatch(line, unseen);
      // What stands at the begin of a line is a title, never text of a value.
      const titles = lines.filter((line) => /^[^ ]/.test(line));
      assert.equal(titles.length, 3);
    });
  }
});
