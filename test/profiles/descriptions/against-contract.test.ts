import assert from 'node:assert/strict';
import { differencesFromContract } from '../../../src/profiles/descriptions/against-contract.js';
import { namespace } from '../../support/soap-answers.js';
import { deployedWsdl, element, type Change, descriptionOf } from '../../support/wsdl.js';

/** Each difference in a line: kind, how, where, name, as the contract and as the WSDL has it, sent, read, needed. */
async function found(changes: readonly Change[], own = namespace): Promise<readonly string[]> {
  const description = await descriptionOf({ 'service.wsdl': deployedWsdl(...changes) });
  return differencesFromContract(description, own).map(
    ({ kind, how, where, name = '-', contract = '-', service = '-', isSent, isRead, isNeeded }) =>
      [kind, how, where, name, contract, service, isSent ? 'sent' : '', isRead ? 'read' : '', isNeeded ? 'needed' : '']
        .join(' ')
        .trim(),
  );
}

const displayName = '<s:element minOccurs="0" maxOccurs="1" name="DisplayName" type="s:string" />';
const importKey = '<s:element minOccurs="0" maxOccurs="1" name="ImportKey" type="s:string" />';
const sortingName = '<s:element minOccurs="0" maxOccurs="1" name="SortingName" type="s:string" />';
const queue = '<s:enumeration value="Queue" />';

describe('differences between the contract and a WSDL', () => {
  it('are none for the WSDL that relctl writes of the contract', async () => {
    assert.deepEqual(await found([]), []);
  });

  for (const [what, changes, expected] of [
    [
      'a member more',
      [[importKey, `${element('Score', 's:decimal')}${importKey}`]],
      ['member more PvRelationData Score - decimal  read'],
    ],
    ['a member less', [[importKey, '']], ['member less PvRelationData ImportKey string -  read']],
    [
      'a member of another type',
      [[importKey, importKey.replace('s:string', 's:date')]],
      ['member type PvRelationData ImportKey string string (date)  read'],
    ],
    [
      'a member of another presence',
      [[importKey, importKey.replace('minOccurs="0"', 'minOccurs="1"')]],
      ['member presence PvRelationData ImportKey Opt Req  read needed'],
    ],
    [
      'members in another order',
      [
        [sortingName, ''],
        [displayName, `${displayName}${sortingName}`],
      ],
      ['member order PvRelationData DisplayName behind SortingName behind Info  read'],
    ],
    [
      'a value more, and one less',
      [[queue, '<s:enumeration value="Inbox" />']],
      ['value more ActivityLocation Inbox - -  read', 'value less ActivityLocation Queue - -  read'],
    ],
    [
      'the name that the document does not show',
      [['name="Notifications"', 'name="List"']],
      ['member name NotificationsGet Notifications Notifications List  read'],
    ],
    [
      'items of another name',
      [['name="PvNotificationData" nillable', 'name="Row" nillable']],
      [
        'member type NotificationsGet Notifications list of PvNotificationData named PvNotificationData list of PvNotificationData named Row  read',
      ],
    ],
    [
      'an operation of another name',
      [
        ['"MarkGetAll', '"MarkFetchAll'],
        ['/MarkGetAll"', '/MarkFetchAll"'],
        [':MarkGetAll', ':MarkFetchAll'],
      ],
      ['operation less MarkGetAll - - - sent', 'operation more MarkFetchAll - - - sent'],
    ],
    [
      'another SOAPAction',
      [['sandbox/MarkGetAll"', 'sandbox/Marks"']],
      [`message other MarkGetAll SOAPAction ${namespace}/MarkGetAll ${namespace}/Marks sent`],
    ],
  ] as const satisfies readonly (readonly [string, readonly Change[], readonly string[]])[]) {
    it(`tell ${what}`, async () => {
      assert.deepEqual(await found(changes), expected);
    });
  }

  it('tell a parameter more that has to be sent', async () => {
    const first = '<s:element minOccurs="1" maxOccurs="1" name="includeCounters" type="s:boolean" />';
    const lines = await found([[first, `${first}<s:element name="tenant" type="s:int"/>`]]);
    assert.ok(lines.includes('parameter more RelationGetAll tenant - int sent  needed'), lines.join('\n'));
    assert.ok(
      lines.every((line) => line.startsWith('parameter more ')),
      lines.join('\n'),
    );
  });

  it('tell another namespace than that of the profile', async () => {
    assert.deepEqual(await found([], 'urn:other'), [`namespace other all - urn:other ${namespace} sent`]);
  });
});
