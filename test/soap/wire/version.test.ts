import assert from 'node:assert/strict';
import { soapActionHeader, type SoapActionForm } from '../../../src/soap/wire/version.js';

const operation = 'MarkGetAll';

describe('The header SOAPAction', () => {
  const forms: readonly (readonly [form: SoapActionForm, bare: string | undefined, slash: string | undefined])[] = [
    ['slash', '"http://crm.example/api/MarkGetAll"', '"http://crm.example/api/MarkGetAll"'],
    ['slash-unquoted', 'http://crm.example/api/MarkGetAll', 'http://crm.example/api/MarkGetAll'],
    ['joined', '"http://crm.example/apiMarkGetAll"', '"http://crm.example/api/MarkGetAll"'],
    ['joined-unquoted', 'http://crm.example/apiMarkGetAll', 'http://crm.example/api/MarkGetAll'],
    ['operation', '"MarkGetAll"', '"MarkGetAll"'],
    ['operation-unquoted', 'MarkGetAll', 'MarkGetAll'],
    ['empty', '""', '""'],
    ['none', undefined, undefined],
  ];
  for (const [form, bare, slash] of forms) {
    it(`of the form ${form} is ${bare ?? 'not sent'}`, () => {
      assert.equal(soapActionHeader('1.1', { namespace: 'http://crm.example/api', operation }, form), bare);
      assert.equal(soapActionHeader('1.1', { namespace: 'http://crm.example/api/', operation }, form), slash);
    });
  }

  it('has one slash after a URN as after an address, unless it is joined', () => {
    assert.equal(soapActionHeader('1.1', { namespace: 'urn:crm#', operation }), '"urn:crm#/MarkGetAll"');
    assert.equal(soapActionHeader('1.1', { namespace: 'urn:crm#', operation }, 'joined'), '"urn:crm#MarkGetAll"');
  });

  it('is not sent in SOAP 1.2', () => {
    assert.equal(soapActionHeader('1.2', { namespace: 'http://crm.example/api', operation }), undefined);
  });

  it('is that of the WSDL for an imported operation, in the quotes of the form', () => {
    const sent = forms.map(([form]) =>
      soapActionHeader('1.1', { namespace: 'urn:crm', operation, described: 'urn:other:Act' }, form),
    );
    const [quoted, bare] = ['"urn:other:Act"', 'urn:other:Act'];
    assert.deepEqual(sent, [quoted, bare, quoted, bare, quoted, bare, '""', undefined]);
  });
});
