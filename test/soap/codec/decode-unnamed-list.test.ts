import assert from 'node:assert/strict';
import { operations } from '../../../src/contract/service.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { Answer } from '../../../src/soap/wire/answer.js';
import type { Operation } from '../../../src/contract/build.js';
import { bytesOf, namespace, read } from '../../support/soap/exchange.js';

const id = (number: number): string => `6f9619ff-8b86-d011-b42d-0000000000${String(number).padStart(2, '0')}`;
const succeeded = '<Result><Succeeded>true</Succeeded><Number>0</Number></Result>';

const members = (number: number): string => `<Id>${id(number)}</Id><ActivityLocation>Todo</ActivityLocation>`;
const item = (number: number): string => `<PvNotificationData>${members(number)}</PvNotificationData>`;
const notification = (number: number): object => ({ Id: id(number), ActivityLocation: 'Todo' });

function answer(operation: Operation, content: string): Promise<Answer> {
  const text =
    `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:t="${namespace}"><soap:Body>` +
    `<${operation.name}Response xmlns="${namespace}"><${operation.name}Result>${content}</${operation.name}Result></${operation.name}Response></soap:Body></soap:Envelope>`;
  return read(operation, [bytesOf(text)]);
}

/** The result of NotificationsGet, and what was odd about it. */
async function outcome(content: string, result = succeeded): Promise<unknown> {
  const { result: found, notes } = await answer(operations.NotificationsGet, result + content);
  return [found, notes.map(({ kind, path }) => `${kind} ${path}`)];
}

const two = [notification(1), notification(2)];

describe('the list of NotificationsGet, whose element the document does not name', () => {
  for (const [what, content] of [
    ['under the name that the contract has', `<Notifications>${item(1)}${item(2)}</Notifications>`],
    ['under another name', `<NotificationItems>${item(1)}\n ${item(2)}</NotificationItems>`],
    ['under the name of its type', `<ArrayOfPvNotificationData>${item(1)}${item(2)}</ArrayOfPvNotificationData>`],
    ['repeated in the result itself', `${item(1)}${item(2)}`],
    ['within two elements', `<Page><Items>${item(1)}</Items><Items>${item(2)}</Items></Page>`],
    ['in part under its name', `<Notifications>${item(1)}</Notifications><More>${item(2)}</More>`],
    ['in Data', `<Data>${item(1)}${item(2)}</Data>`],
    ['by xsi:type', `<X><i xsi:type="t:PvNotificationData">${members(1)}</i>${item(2)}</X>`],
  ] as const)
    it(`is found ${what}`, async () => assert.deepEqual(await outcome(content), [{ Notifications: two }, []]));

  it('is found in front of the envelope as well', async () => {
    const found = { Notifications: [notification(1)] };
    assert.deepEqual(await outcome(succeeded, `<Items>${item(1)}</Items>`), [found, []]);
  });

  it('keeps nil items, and what stands beside the items', async () => {
    assert.deepEqual(
      await outcome(`<X><Total>2</Total>${item(1)}<PvNotificationData xsi:nil="true"/>text</X><Server>a</Server>`),
      [
        { Notifications: [notification(1), null], X: { Total: '2', '#text': 'text' }, Server: 'a' },
        ['unknown-field X', 'unknown-field Server'],
      ],
    );
  });

  it('is empty when what may be the list has attributes alone, which are kept', async () => {
    assert.deepEqual(await outcome('<Items count="0"/><A/>'), [{ Notifications: [], Items: { '@count': '0' } }, []]);
    assert.deepEqual(await outcome(`<Items count="2">${item(1)}${item(2)}</Items>`), [
      { Notifications: two, Items: { '@count': '2' } },
      ['unknown-field Items'],
    ]);
  });

  it('is empty when what may be the list holds nothing', async () => {
    for (const content of ['<NotificationItems/>', '<Items xsi:nil="true"/>', '<A>\n</A><B/>'])
      assert.deepEqual(await outcome(content), [{ Notifications: [] }, []], content);
  });

  it('is not there when nothing can be it, or what is there holds something else', async () => {
    assert.deepEqual(await outcome(''), [{}, []]);
    assert.deepEqual(await outcome('<Error>no</Error><A/>'), [
      { Error: 'no', A: '' },
      ['unknown-field Error', 'unknown-field A'],
    ]);
    assert.deepEqual(await outcome(`<A xmlns="urn:other">${item(1)}</A>`), [
      { A: { PvNotificationData: { Id: id(1), ActivityLocation: 'Todo' } } },
      ['unknown-field A'],
    ]);
  });
});

describe('an item of a list of a result that has another name', () => {
  const relation = `<Id>${id(1)}</Id><EntityTypeId>${id(1)}</EntityTypeId><IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive>`;

  it('is a row when it holds what the rows hold, and is told', async () => {
    const { result, notes } = await answer(
      operations.RelationGetAll,
      `<Relations><Relation>${relation}</Relation><Relation>${relation}</Relation></Relations>`,
    );
    assert.equal((result['Relations'] as readonly object[]).length, 2);
    assert.deepEqual(notes, [{ kind: 'other-item', path: 'Relations.Relation', count: 2 }]);
  });

  for (const foreign of ['<Error>no</Error>', '<Error><Message>no</Message></Error>', '<Error/>'])
    it(`is refused when it is no row: ${foreign}`, async () => {
      await assert.rejects(answer(operations.RelationGetAll, `<Relations>${foreign}</Relations>`), (error) => {
        assert.ok(error instanceof RelctlError);
        assert.deepEqual([error.kind, error.facts.code, error.facts.path], ['bad-answer', 'other-item', 'Relations']);
        assert.match(error.message, /Relations holds <Error>, which has nothing of a PvRelationData/);
        return true;
      });
    });

  it('is kept within a record whatever it holds', async () => {
    const entry = `<TelephoneBookEntry><relation>Jan</relation><TelephoneNumbers><string>0101</string><Nr><x>1</x></Nr></TelephoneNumbers></TelephoneBookEntry>`;
    const { result, notes } = await answer(
      operations.RelationGetTelephoneBook,
      `<TelephoneBookEntries>${entry}</TelephoneBookEntries>`,
    );
    assert.deepEqual(result, {
      TelephoneBookEntries: [{ relation: 'Jan', TelephoneNumbers: ['0101', { x: '1' }] }],
    });
    assert.ok(notes.some(({ kind, path }) => kind === 'other-item' && path.endsWith('.TelephoneNumbers.string')));
  });
});
