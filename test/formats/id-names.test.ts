import assert from 'node:assert/strict';
import { inRole, nil, opt, record, req, scalar } from '../../src/contract/build.js';
import { allColumns } from '../../src/formats/columns.js';
import { cardFormat } from '../../src/formats/writers/card.js';
import { printed } from '../support/output/print.js';

const guid = (index: number): string => `00000000-0000-4000-8000-00000000000${index}`;
const Place = record('Place', '', { Id: req(scalar('guid'), ''), Name: inRole('name', opt(scalar('string'), '')) });
const Person = record('Person', '', {
  Id: req(scalar('guid'), ''),
  Name: inRole('name', opt(scalar('string'), '')),
  BossId: nil(scalar('guid'), ''),
  HomeId: nil(scalar('guid'), ''),
  Home: opt(Place, ''),
});
const columns = allColumns(Person);

describe('The Ids of other records in a card', () => {
  it('have the name that came in the same answer, also within the record', async () => {
    const records = [
      { Id: guid(1), Name: 'Zoë', BossId: guid(2), HomeId: guid(3), Home: { Id: guid(3), Name: 'Łódź' } },
      { Id: guid(2), Name: '日本', BossId: null, HomeId: guid(4) },
    ];
    assert.equal(
      await printed(cardFormat, [records], { columns, isChosen: true }),
      `Id         ${guid(1)}
Name       Zoë
BossId     ${guid(2)} (日本)
HomeId     ${guid(3)} (Łódź)
Home.Id    ${guid(3)}
Home.Name  Łódź

Id         ${guid(2)}
Name       日本
BossId     -
HomeId     ${guid(4)}
`,
    );
  });

  it('have the name that the profile gives them, neutralised', async () => {
    const nameOf = (id: string): string | undefined => (id === guid(4) ? 'Tiel\u001b[2J' : undefined);
    const shown = await printed(cardFormat, [[{ Id: guid(4), HomeId: guid(4), BossId: guid(5) }]], {
      columns,
      nameOf,
      isChosen: true,
    });
    assert.equal(shown, `Id      ${guid(4)}\nBossId  ${guid(5)}\nHomeId  ${guid(4)} (Tiel␛[2J)\n`);
  });
});
