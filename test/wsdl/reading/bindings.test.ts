import assert from 'node:assert/strict';
import { descriptionOf, wsdlText } from '../../support/wsdl/description.js';

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
        ['Ask: a SOAPAction that no header holds'],
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
