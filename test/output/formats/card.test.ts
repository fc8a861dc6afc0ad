import assert from 'node:assert/strict';
import { chosenColumns } from '../../../src/output/columns.js';
import { cardFormat } from '../../../src/output/formats/card.js';
import { hostile, unseen } from '../../support/output/hostile.js';
import { person, printed } from '../../support/output/print.js';

describe('A card', () => {
  it('has one field a line, nil as a dash, and leaves out what is absent', async () => {
    const record = { Id: 'a', Name: '日本', Balance: null, Home: { City: 'Łódź' }, Marks: ['x'] };
    assert.equal(
      await printed(cardFormat, [[record]]),
      'Id         a\n' + 'Name       日本\n' + 'Balance    -\n' + 'Home.City  Łódź\n' + 'Marks      x\n',
    );
  });

  it('parts records by a blank line, whatever batches they come in', async () => {
    const columns = chosenColumns(person, ['Id']);
    const [one, two, three] = [{ Id: '1' }, { Id: '2' }, { Id: '3' }];
    for (const batches of [[[one, two, three]], [[one], [two], [three]], [[], [one, two], [], [three]]])
      assert.equal(await printed(cardFormat, batches, { columns, isChosen: true }), 'Id  1\n\nId  2\n\nId  3\n');
  });

  it('is nothing for no record', async () => assert.equal(await printed(cardFormat, [[]]), ''));

  it('cuts nothing, however narrow the terminal', async () => {
    const Name = 'a long name '.repeat(50).trim();
    assert.equal(await printed(cardFormat, [[{ Name }]], { width: 40 }), `Name       ${Name}\n`);
  });

  it('shows fields that the contract does not know, after those that it knows, also nil', async () => {
    assert.equal(
      await printed(cardFormat, [[{ New: { x: 1 }, Gone: null, Id: 'a' }]]),
      'Id         a\nNew        {"x":1}\nGone       -\n',
    );
  });

  it('shows the chosen columns and nothing else', async () => {
    const columns = chosenColumns(person, ['Home.City', 'Id']);
    const record = { Id: 'a', Name: 'b', Home: { City: 'c', Zip: 'd' }, New: 'e' };
    assert.equal(await printed(cardFormat, [[record]], { columns, isChosen: true }), 'Home.City  c\nId         a\n');
  });

  it('has colour for the names only, and only where it is allowed', async () => {
    const columns = chosenColumns(person, ['Id']);
    assert.equal(await printed(cardFormat, [[{ Id: 'a' }]], { columns, hasColor: true }), '\u001b[2mId\u001b[22m  a\n');
  });

  for (const [name, text] of Object.entries(hostile)) {
    it(`neutralises ${name} in values and in unknown names`, async () => {
      const lines = (await printed(cardFormat, [[{ Name: text, Marks: [text], [text]: text }]])).split('\n');
      assert.equal(lines.length, 4);
      for (const line of lines) assert.doesNotMatch(line, unseen);
    });
  }
});
