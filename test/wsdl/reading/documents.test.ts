import assert from 'node:assert/strict';
import { readDocuments } from '../../../src/wsdl/reading/documents.js';
import { describe as describeDocuments } from '../../../src/wsdl/reading/operations.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { descriptionOf, wsdlText } from '../../support/wsdl.js';
import { valuesOf } from '../../support/thrown.js';

const schema = (attributes: string, content: string): string =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" ${attributes}>${content}</xs:schema>`;
const ask = '<xs:sequence><xs:element name="a" type="t:T"/></xs:sequence>';
const type =
  '<xs:complexType name="T"><xs:sequence><xs:element name="b" type="xs:int"/><xs:element name="c" type="U" minOccurs="0"/></xs:sequence></xs:complexType>';
const simple = '<xs:simpleType name="U"><xs:restriction base="xs:int"/></xs:simpleType>';

describe('documents of a description', () => {
  it('are imported and included; a schema without a namespace is in that of its includer', async () => {
    const { types, unread } = await descriptionOf({
      'service.wsdl': wsdlText({ ask, types: '' }).replace(
        '<xs:element name="Ask">',
        '<xs:include schemaLocation="t.xsd"/><xs:element name="Ask">',
      ),
      't.xsd': schema('elementFormDefault="qualified"', `<xs:include schemaLocation="u.xsd"/>${type}`),
      'u.xsd': schema('', `<xs:include schemaLocation="t.xsd"/>${simple}`),
    });
    assert.deepEqual(unread, []);
    assert.deepEqual(types, [
      {
        kind: 'record',
        name: 'T',
        doc: '',
        fields: [
          { name: 'b', type: { kind: 'scalar', name: 'int' }, presence: 'req', doc: '' },
          { name: 'c', type: { kind: 'scalar', name: 'int' }, presence: 'opt', doc: '' },
        ],
      },
    ]);
  });

  it('may be WSDLs that import another one with what they lack', async () => {
    const whole = wsdlText({ ask: '' });
    const at = whole.indexOf('<w:binding ');
    const head = whole.slice(0, whole.indexOf('<w:types>'));
    const { operations } = await descriptionOf({
      'service.wsdl': `${head}<w:import namespace="urn:t" location="port.wsdl"/>${whole.slice(at)}`,
      'port.wsdl': `${whole.slice(0, at)}</w:definitions>`,
    });
    assert.deepEqual(valuesOf(operations, 'name'), ['Ask']);
  });

  for (const [what, documents, message] of [
    ['another document', { 'service.wsdl': '<html/>' }, /service\.wsdl is an HTML page, and no WSDL/],
    ['a document type', { 'service.wsdl': `<!DOCTYPE x>${wsdlText({ ask: '' }).slice(21)}` }, /document type/],
    [
      'a document that is not there',
      {
        'service.wsdl': wsdlText({ ask: '<xs:sequence/>', types: '' }).replace(
          '<xs:element name="Ask">',
          '<xs:import schemaLocation="no.xsd"/><xs:element name="Ask">',
        ),
      },
      /no document no\.xsd/,
    ],
  ] as const) {
    it(`are refused: ${what}`, async () => {
      await assert.rejects(descriptionOf(documents), message);
    });
  }

  for (const [what, text] of [
    ['a page of HTML', '<!DOCTYPE html><html><br></html>'],
    ['a document type', '<!DOCTYPE schema><schema/>'],
    ['something else', '<gone/>'],
  ] as const) {
    it(`are read without a well-known schema in whose place is ${what}, and what refers to it is named`, async () => {
      const import_ =
        '<xs:import namespace="http://www.w3.org/2005/05/xmlmime" schemaLocation="mime.xsd"/><xs:import namespace="http://docs.oasis-open.org/wsn/b-2" schemaLocation="none.xsd"/>';
      const wsdl = wsdlText({
        ask,
        types:
          '<xs:complexType name="T"><xs:sequence><xs:element name="b" type="m:base64Binary" xmlns:m="http://www.w3.org/2005/05/xmlmime"/></xs:sequence></xs:complexType>',
      }).replace('<xs:element name="Ask">', `${import_}<xs:element name="Ask">`);
      const gone = new RelctlError('no-answer', 'none.xsd answered with HTTP 404');
      const found = await readDocuments('service.wsdl', {
        addressOf: (location) => location,
        textAt: (at) => (at === 'none.xsd' ? Promise.reject(gone) : Promise.resolve(at === 'mime.xsd' ? text : wsdl)),
      });
      const { operations, unread } = describeDocuments(found);
      assert.deepEqual(
        [operations.map(({ name }) => name), unread],
        [
          ['Ask'],
          [
            {
              place: 'T',
              what: "the description has no complexType base64Binary in the namespace 'http://www.w3.org/2005/05/xmlmime'",
            },
          ],
        ],
      );
    });
  }

  it('are refused when they are more than a description has', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 250 }, (_, index) => [
        `${index}.xsd`,
        schema('', `<xs:include schemaLocation="${index + 1}.xsd"/>`),
      ]),
    );
    const start = wsdlText({ ask: '' }).replace(
      '<xs:element name="Ask">',
      '<xs:include schemaLocation="0.xsd"/><xs:element name="Ask">',
    );
    await assert.rejects(descriptionOf({ ...many, 'service.wsdl': start }), /more than 200 documents/);
  });

  it('are got once each, however often they are named', async () => {
    const got: string[] = [];
    const include = '<xs:include schemaLocation="a.xsd"/>';
    const documents: Readonly<Record<string, string>> = {
      'service.wsdl': wsdlText({ ask: '', types: '' }).replace(
        '<xs:element name="Ask">',
        () => `${include.repeat(50)}<xs:element name="Ask">`,
      ),
      'a.xsd': schema('', `<xs:import namespace="urn:u" schemaLocation="b.xsd"/>${simple}`),
      'b.xsd': schema('targetNamespace="urn:u"', `${include}<xs:import schemaLocation="service.wsdl"/>`),
    };
    const { schemas } = await readDocuments('service.wsdl', {
      addressOf: (location) => location,
      textAt: (at) => {
        got.push(at);
        return Promise.resolve(documents[at] ?? '');
      },
    });
    assert.deepEqual(got, ['service.wsdl', 'a.xsd', 'b.xsd']);
    assert.deepEqual(valuesOf(schemas, 'namespace', 'isChameleon'), [
      ['urn:t', false],
      ['urn:t', true],
      ['urn:u', false],
      ['urn:u', true],
    ]);
  });

  it('are named where one of them is not well-formed', async () => {
    const documents = { 'service.wsdl': schema('', '<xs:import schemaLocation="a.xsd"/>'), 'a.xsd': '<q:schema/>' };
    await assert.rejects(
      descriptionOf(documents),
      /^RelctlError: a\.xsd: the prefix 'q' is not bound \(line 1, column 1\)$/,
    );
  });

  for (const [what, content, message] of [
    ['imports', '<xs:import schemaLocation="no.xsd"/>'.repeat(10_001), /imports more than 10000 times/],
    ['elements', '<a/>'.repeat(500_001), /more than 500000 elements, with attributes/],
    [
      'attributes',
      `<a ${Array.from({ length: 60 }, (_, at) => `a${at}=""`).join(' ')}/>`.repeat(25_000),
      /more than 500000 elements, with attributes/,
    ],
    [
      'names',
      Array.from({ length: 10_001 }, (_, at) => `<a${at}/>`).join(''),
      /more than 10000 names of elements and attributes/,
    ],
    [
      'prefixes',
      Array.from({ length: 10_001 }, (_, at) => `<a xmlns:a${at}="urn:u"/>`).join(''),
      /more than 10000 prefixes of namespaces/,
    ],
    [
      'declarations of namespaces',
      `<a xmlns='urn:u' xmlns:b = 'urn:u'\nxmlns:c='urn:u'/>`.repeat(70_000),
      /more than 500000 elements, with attributes and namespace declarations counted in part/,
    ],
    ['CDATA sections', `<a>${'<![CDATA[]]>'.repeat(10_001)}</a>`, /more than 10000 CDATA sections/],
    ['text at one place', `<a>${'x'.repeat(1024 * 1024 + 1)}</a>`, /a text of more than 1048576 characters/],
    ['characters', `<!--${' '.repeat(24 * 1024 * 1024)}-->`, /longer than 25165824 characters/],
  ] as const) {
    it(`are refused when they have more ${what} than a description has`, async () => {
      await assert.rejects(
        descriptionOf({ 'service.wsdl': schema('', content) }),
        (thrown: Error & { kind?: string }) => thrown.kind === 'bad-answer' && message.test(thrown.message),
      );
    });
  }
});
