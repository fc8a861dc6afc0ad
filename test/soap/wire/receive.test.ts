import assert from 'node:assert/strict';
import { operations } from '../../../src/contract/service.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { readRequest, type ReceivedRequest } from '../../../src/soap/wire/receive.js';
import { bytesOf, envelope, namespace } from '../../support/soap/exchange.js';

const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const who = `<credentials><ApiKey>${id}</ApiKey><DatabaseId xsi:nil="true"/><UserId xsi:nil="true"/></credentials>`;

const receive = (body: string, version: '1.1' | '1.2' = '1.1'): ReceivedRequest =>
  readRequest({ body: bytesOf(envelope(body, version)) }, { namespace });

const get = (content: string): string => `<RelationGet xmlns="${namespace}">${content}</RelationGet>`;
const parameters = `<relationId>${id}</relationId><includeFields>true</includeFields><includeCounters>0</includeCounters>`;

function refusal(work: () => unknown): RelctlError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof RelctlError) return thrown;
    throw thrown;
  }
  return assert.fail('nothing was refused');
}

describe('a request that a service receives', () => {
  it('gives the operation, its parameters and who calls', () => {
    for (const version of ['1.1', '1.2'] as const)
      assert.deepEqual(receive(get(who + parameters), version), {
        version,
        operationName: 'RelationGet',
        operation: operations.RelationGet,
        credentials: { ApiKey: id, DatabaseId: null, UserId: null },
        input: { relationId: id, includeFields: true, includeCounters: false },
      });
  });

  it('may come without credentials', () => {
    assert.equal(receive(get(parameters)).credentials, undefined);
  });

  it('may name an operation that the contract does not have', () => {
    const received = receive(`<RelationErase xmlns="${namespace}"><anything/></RelationErase>`);
    assert.deepEqual(received, { version: '1.1', operationName: 'RelationErase', credentials: undefined, input: {} });
  });

  for (const [what, body, words] of [
    [
      'a parameter that is missing',
      get(`${who}<relationId>${id}</relationId><includeFields>true</includeFields>`),
      /^includeCounters is required/,
    ],
    [
      'a Nil field that is missing',
      get(`<credentials><ApiKey>${id}</ApiKey><UserId xsi:nil="true"/></credentials>${parameters}`),
      /^credentials\.DatabaseId is required/,
    ],
    ['a parameter that is not known', get(`${who}${parameters}<page>1</page>`), /^page is not known/],
    [
      'a parameter of the wrong form',
      get(`${who}${parameters.replace('true', 'yes')}`),
      /^includeFields has a value that does not match its type: 'yes'/,
    ],
    ['parameters in another order', get(`${parameters}${who}`), /is after members that follow it/],
    [
      'a parameter twice',
      get(`${who}${parameters}<includeCounters>1</includeCounters>`),
      /includeCounters comes twice/,
    ],
    [
      'a parameter in another namespace',
      get(`${who}${parameters.replace('<relationId', '<relationId xmlns=""')}`),
      /relationId is in the namespace ''/,
    ],
    [
      'an operation in another namespace',
      '<RelationGet xmlns="urn:other"/>',
      /RelationGet is in the namespace 'urn:other'/,
    ],
    ['nil credentials', get(`<credentials xsi:nil="true"/>${parameters}`), /^credentials cannot be nil/],
    [
      'a Nil field that is marked nil and holds an element',
      get(`${who.replace('<UserId xsi:nil="true"/>', '<UserId xsi:nil="true"><a/></UserId>')}${parameters}`),
      /^credentials\.UserId is marked nil, but has content/,
    ],
    [
      'an xsi:type of another namespace',
      get(who.replace('<credentials', '<credentials xmlns:o="urn:other" xsi:type="o:ApiCredentials"') + parameters),
      /^credentials has the xsi:type 'o:ApiCredentials'; in the contract it is ApiCredentials of http/,
    ],
    [
      'an xsi:type on the operation',
      get(who + parameters).replace('<RelationGet', '<RelationGet xsi:type="RelationGet"'),
      /^The request has the xsi:type 'RelationGet'; it has none in the contract/,
    ],
    [
      'an instruction',
      `<?php echo?>${get(who + parameters)}`,
      /cannot have processing instructions, and this one has <\?php\?>/,
    ],
    ['an empty Body', '', /Body of the envelope is empty/],
  ] as const)
    it(`is refused with ${what}`, () => {
      const error = refusal(() => receive(body));
      assert.match(error.message, words);
      assert.ok(['refused', 'bad-answer'].includes(error.kind));
    });

  it('is refused when it is no SOAP or no XML', () => {
    for (const text of ['', '<a/>', 'x', '<!DOCTYPE a><a/>'])
      assert.equal(refusal(() => readRequest({ body: bytesOf(text) }, { namespace })).kind, 'bad-answer', text);
  });

  it('repeats no value of credentials that is none, which may be a key that was mistyped', () => {
    const mistyped = who.replace(id, `x${id}`);
    assert.throws(
      () =>
        receive(`<NotificationGetCount xmlns="${namespace}">${mistyped}<userId>${id}</userId></NotificationGetCount>`),
      { message: 'credentials.ApiKey has a value that does not match its type.' },
    );
  });
});
