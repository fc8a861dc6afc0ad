import assert from 'node:assert/strict';
import { descriptionOf, wsdlText } from '../../support/wsdl.js';

const text = wsdlText({ ask: '' });
const soap12 = 'http://schemas.xmlsoap.org/wsdl/soap12/';

/** The same WSDL with one part replaced, which must be there. */
function replaced(from: string, to: string, of = text): string {
  assert.ok(of.includes(from), from);
  return of.replace(from, () => to);
}

const binding = (name: string, portType: string, inner: string): string =>
  `<w:binding name="${name}" type="t:${portType}">${inner}</w:binding>`;
const bound = (name: string, action: string): string =>
  `<w:operation name="${name}"><soap:operation soapAction="${action}"/><w:input><soap:body use="literal"/></w:input><w:output><soap:body use="literal"/></w:output></w:operation>`;
const abstract = (name: string): string =>
  `<w:operation name="${name}"><w:input message="t:in"/><w:output message="t:out"/></w:operation>`;
const port = (name: string): string => `<w:port name="${name}" binding="t:${name}"/>`;

async function found(wsdl: string): Promise<{ actions: readonly string[]; told: readonly string[] }> {
  const { operations, unread } = await descriptionOf({ 'service.wsdl': wsdl });
  return {
    actions: operations.map(({ name, soapAction }) => `${name} ${soapAction}`),
    told: unread.map(({ place, what }) => `${place}: ${what}`),
  };
}

describe('the binding that is read', () => {
  const forms: readonly (readonly [what: string, wsdl: string, actions: readonly string[], told: readonly string[]])[] =
    [
      [
        'is of document style, behind one of RPC',
        replaced('<w:binding ', `${binding('R', 'P', `<soap:binding style="rpc"/>${bound('Ask', 'rpc')}`)}<w:binding `),
        ['Ask urn:t/Ask'],
        [],
      ],
      [
        'is of SOAP 1.1, behind one of SOAP 1.2',
        replaced(
          '<w:binding ',
          `${binding('R', 'P', `<s:binding xmlns:s="${soap12}"/>${bound('Ask', '12')}`)}<w:binding `,
        ),
        ['Ask urn:t/Ask'],
        [],
      ],
      [
        'may be of SOAP 1.2',
        text.replace('xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"', `xmlns:soap="${soap12}"`),
        ['Ask urn:t/Ask'],
        [],
      ],
      [
        'is that of a port',
        replaced(
          '</w:definitions>',
          `${binding('R', 'P', `<soap:binding/>${bound('Ask', 'port')}`)}<w:service name="S">${port('R')}</w:service></w:definitions>`,
        ),
        ['Ask port'],
        [],
      ],
      [
        'is not one over mail',
        replaced(
          '<w:binding ',
          `${binding('R', 'P', `<soap:binding transport="http://schemas.xmlsoap.org/soap/smtp"/>${bound('Ask', 'mail')}`)}<w:binding `,
        ),
        ['Ask urn:t/Ask'],
        [],
      ],
      [
        'leaves out another port, which is named',
        replaced(
          '</w:definitions>',
          `<w:portType name="Q"/>${binding('R', 'Q', '<soap:binding/>')}<w:service name="S">${port('B')}${port('R')}</w:service></w:definitions>`,
        ),
        ['Ask urn:t/Ask'],
        ['R: operations of another binding: --port R reads them instead'],
      ],
      [
        'is that with most operations that can be called, and one that no port has is named',
        replaced(
          '</w:definitions>',
          `<w:portType name="Q">${abstract('One')}${abstract('Two')}</w:portType><w:portType name="N"/>${binding('R', 'Q', `<soap:binding/>${bound('One', '1')}${bound('Two', '2')}`)}${binding('N', 'N', '<soap:binding/>')}<w:service name="S">${port('B')}${port('R')}</w:service></w:definitions>`,
        ),
        ['One 1', 'Two 2'],
        [
          'B: operations of another binding: --port B reads them instead',
          'N: operations of another binding: which no port has',
        ],
      ],
      [
        'leaves out an operation that the port type does not have',
        replaced('</w:binding>', `${bound('Other', 'other')}</w:binding>`),
        ['Ask urn:t/Ask'],
        ['Other: an operation that the port type does not have'],
      ],
      [
        'leaves out an operation that has no name of one',
        text.replaceAll('name="Ask"><', 'name="a b"><'),
        [],
        ['a b: a name that is none'],
      ],
      [
        'leaves out an operation whose SOAPAction no header holds',
        replaced('soapAction="urn:t/Ask"', 'soapAction="a&#13;&#10;X-Other: 1"'),
        [],
        ['Ask: a SOAPAction that is not valid in a header'],
      ],
      [
        'leaves out a second operation of a name',
        replaced(bound('Ask', 'urn:t/Ask'), `${bound('Ask', 'one')}${bound('Ask', 'two')}`),
        ['Ask one'],
        ['Ask: a second operation of this name'],
      ],
    ];
  for (const [what, wsdl, actions, told] of forms)
    it(what, async () => assert.deepEqual(await found(wsdl), { actions, told }));

  const portAt = (name: string, of: string, address: string): string =>
    `<w:port name="${name}" binding="t:${of}"><soap:address location="${address}"/></w:port>`;
  const twelve = replaced('name="B"', `name="C" xmlns:soap="${soap12}"`, /<w:binding[^]*<\/w:binding>/.exec(text)?.[0]);
  const served = (ports: string, bindings = twelve): string =>
    replaced('</w:definitions>', `${bindings}<w:service name="S">${ports}</w:service></w:definitions>`);

  for (const [what, wsdl, versions, told] of [
    [
      'at the same address',
      served(portAt('One', 'B', 'http://a/') + portAt('Two', 'C', 'http://a/')),
      ['1.1', '1.2'],
      [],
    ],
    [
      'at another address',
      served(portAt('One', 'B', 'http://a/') + portAt('Two', 'C', 'http://b/')),
      ['1.1'],
      ['Two: these operations with another binding, at http://b/: --port Two reads them instead'],
    ],
    [
      'with other actions',
      served(
        portAt('One', 'B', 'http://a/') + portAt('Two', 'C', 'http://a/'),
        replaced('urn:t/Ask', 'urn:t/Other', twelve),
      ),
      ['1.1'],
      ['Two: these operations with another binding, at http://a/: --port Two reads them instead'],
    ],
    ['of no port', served(portAt('One', 'B', 'http://a/')), ['1.1'], []],
  ] as const) {
    it(`knows the other version of SOAP of a port, or names it: ${what}`, async () => {
      const { unread, ...description } = await descriptionOf({ 'service.wsdl': wsdl });
      const all = unread.map(({ place, what: words }) => `${place}: ${words}`);
      assert.deepEqual([description.versions, all], [versions, told]);
    });
  }

  it('is that of the port that is named, also the second one of a binding', async () => {
    const wsdl = served(portAt('One', 'B', 'http://a/') + portAt('Two', 'B', 'http://b/'), '');
    const { address, unread, operations } = await descriptionOf({ 'service.wsdl': wsdl }, 'Two');
    assert.deepEqual([address, operations.length], ['http://b/', 1]);
    assert.deepEqual(
      unread.map(({ place, what }) => `${place}: ${what}`),
      ['One: these operations with another binding, at http://a/: --port One reads them instead'],
    );
    await assert.rejects(descriptionOf({ 'service.wsdl': wsdl }, 'Three'), /no port of SOAP 'Three'; it has One, Two/);
  });

  for (const [what, from, to, told] of [
    ['an element of a member', 'type="xs:int"', 'type="no:int"', "Two: the prefix 'no' has no namespace"],
    [
      'the element of a message',
      'name="q" element="t:Ask"',
      'name="q" element="no:Ask"',
      "Two: the prefix 'no' has no namespace",
    ],
    ['a message', 'message="t:two"', 'message="no:two"', "Two: the prefix 'no' has no namespace"],
  ] as const) {
    it(`costs one operation where a prefix stands for nothing in ${what}`, async () => {
      const own =
        '<w:message name="two"><w:part name="q" element="t:Ask"/></w:message><w:message name="mine"><w:part name="p" element="t:Mine"/></w:message>';
      const wsdl = [
        ['<w:message ', `${own}<w:message `],
        [
          '<xs:element name="Ask">',
          '<xs:element name="Mine"><xs:complexType><xs:sequence><xs:element name="a" type="xs:int"/></xs:sequence></xs:complexType></xs:element><xs:element name="Ask">',
        ],
        [
          '</w:portType>',
          `${abstract('Two').replace('t:in', what === 'an element of a member' ? 't:mine' : 't:two')}</w:portType>`,
        ],
        ['</w:binding>', `${bound('Two', '2')}</w:binding>`],
        [from, to],
      ].reduce((all, [one = '', other = '']) => replaced(one, other, all), text);
      assert.deepEqual(await found(wsdl), { actions: ['Ask urn:t/Ask'], told: [told] });
    });
  }

  it('is none when SOAP goes by mail alone', async () => {
    const wsdl = replaced('http://schemas.xmlsoap.org/soap/http', 'http://schemas.xmlsoap.org/soap/smtp');
    await assert.rejects(found(wsdl), /no binding of SOAP 1\.1 or 1\.2 over HTTP/);
  });

  it('takes of operations of one name that with the same input', async () => {
    const other = '<w:message name="more"><w:part name="p" element="t:AskResponse"/></w:message><w:portType ';
    const overloaded = replaced(
      '<w:operation name="Ask"><w:documentation>',
      '<w:operation name="Ask"><w:input name="More" message="t:more"/><w:output message="t:out"/></w:operation><w:operation name="Ask"><w:documentation>',
      replaced('<w:portType ', other),
    );
    const requestOf = async (wsdl: string): Promise<string | undefined> =>
      (await descriptionOf({ 'service.wsdl': wsdl })).operations[0]?.request.local;
    assert.equal(await requestOf(overloaded), 'Ask');
    assert.equal(
      await requestOf(replaced('<w:input><soap:body', '<w:input name="More"><soap:body', overloaded)),
      'AskResponse',
    );
  });

  it('says which part of a message the Body is', async () => {
    const wsdl = replaced(
      '<w:part name="p" element="t:AskResponse"/>',
      '<w:part name="h" element="t:Ask"/><w:part name="p" element="t:AskResponse"/>',
    );
    assert.deepEqual((await found(wsdl)).told, ['Ask: a message that is not one element']);
    const named = replaced(
      '<w:output><soap:body use="literal"/>',
      '<w:output><soap:body use="literal" parts="p"/>',
      wsdl,
    );
    assert.deepEqual(await found(named), { actions: ['Ask urn:t/Ask'], told: [] });
  });
});
