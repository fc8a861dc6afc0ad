import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Operation } from '../../../src/contract/build.js';
import { operations } from '../../../src/contract/service.js';
import { encodeFields } from '../../../src/soap/codec/encode.js';
import { writeRequest } from '../../../src/soap/wire/request.js';
import { writeWsdl } from '../../../src/wsdl/definitions.js';
import type { ImportedOperations } from '../../../src/wsdl/reading/imported.js';
import { inputOf, successOf } from '../../support/soap/arbitraries.js';
import { bytesOf, envelope, namespace, read, textOf, url } from '../../support/soap/exchange.js';
import { importedFrom, wsdlText } from '../../support/wsdl.js';

const credentials = { ApiKey: '00000000-0000-4000-8000-000000000001' };

describe('operations of the description that relctl writes of its own service', () => {
  let imported: ImportedOperations;
  const same = (name: string): Operation => imported.find(name) ?? assert.fail(`${name} was not found`);
  before(async () => {
    imported = await importedFrom({
      'service.wsdl': writeWsdl({ operations: Object.values(operations), namespace, address: url }),
    });
  });

  it('are those of the contract', () => {
    assert.deepEqual(imported.names, Object.keys(operations));
  });

  for (const operation of Object.values<Operation>(operations)) {
    it(`sends ${operation.name} as the contract does, to the byte`, () => {
      fc.assert(
        fc.property(inputOf(operation), fc.constantFrom('1.1', '1.2'), (input, version) => {
          const given = { input, credentials, namespace, version, url } as const;
          const ours = writeRequest({ ...given, operation });
          const theirs = writeRequest({ ...given, operation: same(operation.name) });
          // What the WSDL says of the action stands in the content type of SOAP 1.2, beside what the contract says.
          const action = version === '1.2' ? `; action="${namespace}/${operation.name}"` : '';
          const headers = { ...ours.headers, 'content-type': `${ours.headers['content-type'] ?? ''}${action}` };
          assert.deepEqual({ ...theirs, body: textOf(theirs.body) }, { ...ours, headers, body: textOf(ours.body) });
        }),
        { numRuns: 20 },
      );
    });

    it(`reads what ${operation.name} answers as the contract does`, async () => {
      await fc.assert(
        fc.asyncProperty(successOf(operation), async (result) => {
          const fields = { ...operation.result };
          const members = Object.fromEntries(Object.entries(result).filter(([name]) => name in fields));
          const content = encodeFields(fields, members, { direction: 'response', of: operation.name });
          const answer = bytesOf(
            envelope(
              `<${operation.name}Response xmlns="${namespace}"><${operation.name}Result>${content}</${operation.name}Result></${operation.name}Response>`,
            ),
          );
          const [ours, theirs] = [await read(operation, [answer]), await read(same(operation.name), [answer])];
          assert.deepEqual(theirs.result, ours.result);
        }),
        { numRuns: 20 },
      );
    });
  }
});

describe('items of lists', () => {
  /** What is sent for lists of two words and nil, when their elements have these attributes. */
  async function sent(attributes: string): Promise<string> {
    const element = `<xs:element name="word" type="xs:string" minOccurs="0" maxOccurs="unbounded"${attributes}/>`;
    const list = `<xs:complexType name="List"><xs:sequence>${element}</xs:sequence></xs:complexType>`;
    const ask = `<xs:sequence><xs:element name="list" type="t:List"/>${element}</xs:sequence>`;
    const imported = await importedFrom({ 'service.wsdl': wsdlText({ types: list, ask }) });
    const { parameters } = imported.find('Ask') ?? assert.fail();
    const words = ['a', null];
    return encodeFields(parameters, { list: words, word: words }, { direction: 'request', of: 'Ask' });
  }

  it('are sent as nil where the WSDL says that they may be', async () => {
    const items = '<word>a</word><word xsi:nil="true" />';
    assert.equal(await sent(' nillable="true"'), `<list>${items}</list>${items}`);
  });

  it('are refused as nil where it does not say that', async () => {
    await assert.rejects(sent(''), /list\[1\] must be a text, not null/);
  });
});
