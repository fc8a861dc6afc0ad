import assert from 'node:assert/strict';
import { kindOfXml } from '../../../src/soap/values/free-form.js';

const envelope = '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body/></s:Envelope>';

describe('XML that the user wrote', () => {
  it('is a whole envelope, or elements that follow the credentials', () => {
    assert.equal(kindOfXml(envelope), 'envelope');
    assert.equal(kindOfXml('<Envelope/>'.replace('/', '></Envelope')), 'envelope');
    assert.equal(kindOfXml('<userId>7</userId>'), 'elements');
    assert.equal(kindOfXml('<EnvelopeId>7</EnvelopeId>'), 'elements');
    assert.equal(kindOfXml('<userId>7</userId><Envelope></Envelope>'), 'elements');
  });

  it('is told by what stands behind a byte order mark, the declaration and comments, however many', () => {
    const head = '\ufeff <?xml version="1.0"?>\n<!-- <a> -->\n';
    assert.equal(kindOfXml(`<?xml version="1.0"?>\n<!-- <a> -->${envelope}`), 'envelope');
    assert.throws(() => kindOfXml(`${head}<userId/>`), { kind: 'usage' });
    const many = '<!-- a -->\n'.repeat(60);
    assert.equal(kindOfXml(many + envelope), 'envelope');
    assert.equal(kindOfXml(`${many}<userId>7</userId>`), 'elements');
    assert.equal(kindOfXml(`<!-- ${envelope} --><userId>7</userId>`), 'elements');
    assert.throws(() => kindOfXml('<!-- a'), { kind: 'usage' });
  });
});
