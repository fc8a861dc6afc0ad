import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ends, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { resultService, type Asked, type ResultService } from '../../support/called.js';
import { deployedWsdl, element } from '../../support/wsdl.js';

const id = (number: number): string => `6f9619ff-8b86-d011-b42d-00000000000${number}`;

const displayName = '<s:element minOccurs="0" maxOccurs="1" name="DisplayName" type="s:string" />';

const wsdl = deployedWsdl(
  [
    displayName,
    `${element('Score', 's:decimal')}${element('Visits', 's:int')}${element('Owner', 'tns:Owner')}${displayName}`,
  ],
  [
    '<s:complexType name="PvRelationData">',
    `<s:complexType name="Owner"><s:sequence>${element('Name', 's:string')}</s:sequence></s:complexType><s:complexType name="PvRelationData">`,
  ],
  ['<s:enumeration value="Queue" />', '<s:enumeration value="Queue" /><s:enumeration value="Inbox" />'],
  ['name="Notifications"', 'name="List"'],
  ['name="PvNotificationData" nillable', 'name="Row" nillable'],
  ['name="relation" nillable="true" type="tns:PvRelationData"', 'name="relation" type="s1:guid"'],
);

const relation = (number: number, name = 'PvRelationData'): string =>
  `<${name}><Id>${id(number)}</Id><EntityTypeId>${id(0)}</EntityTypeId><Score>1.50</Score><Visits>${number}</Visits><Owner><Name>=O</Name></Owner>` +
  `<DisplayName>R${number}</DisplayName><IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive></${name}>`;

function resultOf({ operation, page }: Asked): string {
  switch (operation) {
    case 'RelationGetAll':
      return page < 1 || page > 2
        ? '<Relations/>'
        : `<Relations>${relation(page * 2 - 1)}${relation(page * 2)}</Relations>`;
    case 'RelationGet':
      return relation(1, 'Relation');
    case 'RelationGetTelephoneBook_V2':
      return page === 1
        ? `<TelephoneBookEntries><TelephoneBookEntry><relation>${id(1)}</relation></TelephoneBookEntry></TelephoneBookEntries>`
        : '<TelephoneBookEntries/>';
    case 'NotificationsGet':
      return `<Result><Succeeded>true</Succeeded><Number>0</Number></Result><List><Row><Id>${id(3)}</Id><ActivityLocation>Inbox</ActivityLocation></Row></List>`;
    default:
      return '';
  }
}

const base = { Id: id(1), EntityTypeId: id(0), DisplayName: 'R1', IsRoot: false, IsDummy: false, IsInactive: false };
const known = { ...base, Score: '1.50', Visits: 1, Owner: { Name: '=O' } };

describe('Members that the WSDL of a service has and the contract does not', function () {
  let service: ResultService;
  const run = (...args: readonly string[]): Promise<Run> => service.run(args);
  const done = async (...args: readonly string[]): Promise<string> => {
    return (await ends(run(...args), 0, '')).stdout;
  };
  const lines = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await done(...args)).trimEnd().split(/\r?\n/);

  before(async () => {
    service = await resultService(resultOf);
    const file = join(service.place.folder, 'service.wsdl');
    writeFileSync(file, wsdl);
    await ends(run('operations', 'import', file), 0);
  });
  after(() => service.close());

  it('are in JSON with their types, behind those of the contract', async () => {
    const [first] = JSON.parse(await done('relation', 'list', '-o', 'json')) as readonly object[];
    assert.equal(JSON.stringify(first), JSON.stringify(known));
    const [line = ''] = await lines('relation', 'list', '-o', 'ndjson');
    assert.equal(line, JSON.stringify(known));
  });

  it('are the same in files, in formats that are rendered while they are read and in others', async () => {
    for (const format of ['ndjson', 'csv', 'json']) {
      const file = join(service.place.folder, `list.${format}`);
      await done('relation', 'list', '--output-file', file);
      assert.equal(readFileSync(file, 'utf8'), await done('relation', 'list', '-o', format), format);
    }
  });

  it('can be asked for by --where and --sort, with their types', async () => {
    const rows = await lines(...argv`relation list -o csv --columns Id --where "Visits > 2" --sort Visits:desc`);
    assert.deepEqual(rows, ['Id', id(4), id(3)]);
  });

  it('are in the card and the JSON of one record', async () => {
    assert.deepEqual(JSON.parse(await done('relation', 'get', id(1), '-o', 'json')), known);
    assert.match(await done('relation', 'get', id(1)), /Visits +1\n/);
  });

  it('are among the columns that --columns help lists', async () => {
    const rows = await lines('relation', 'list', '--columns', 'help', '-o', 'csv');
    assert.ok(
      rows.some((row) => row.startsWith('Visits,int,')),
      rows.join('\n'),
    );
  });

  it('are in the description of an operation, and in what call prints', async () => {
    assert.match(await done('operations', 'RelationGet'), /Visits +int +Opt/);
    assert.deepEqual(
      JSON.parse(
        await done(
          ...argv`
            call RelationGet --param relationId=${id(1)} --param includeFields=false --param includeCounters=false -o
            json
          `,
        ),
      ),
      {
        Relation: known,
      },
    );
  });

  it('decide how the list of notifications is called, and which values are known', async () => {
    assert.deepEqual(JSON.parse(await done('notification', 'list', '--user', id(1), '-o', 'json')), [
      { Id: id(3), ActivityLocation: 'Inbox' },
    ]);
  });

  it('decide what the relation of an entry of the telephone book is, and which columns its table has', async () => {
    assert.deepEqual(JSON.parse(await done('relation', 'phone-book', '-o', 'json')), [{ relation: id(1) }]);
    assert.match(await done('relation', 'phone-book'), new RegExp(id(1)));
  });

  it('are as nobody knows them when the profile is of another service, and without an import', async () => {
    await run('operations', 'import', '--forget');
    const { stdout } = await run('relation', 'list', '-o', 'json');
    const [first] = JSON.parse(stdout) as readonly object[];
    assert.deepEqual(first, { ...known, Visits: '1' });
  });
});
