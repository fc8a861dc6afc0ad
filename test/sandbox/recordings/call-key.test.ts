import assert from 'node:assert/strict';
import { callKey } from '../../../src/sandbox/recordings/read.js';

describe('The key of a call', () => {
  const keyOf = (body: string, soap = 'http://schemas.xmlsoap.org/soap/envelope/'): string =>
    callKey([Buffer.from(`<s:Envelope xmlns:s="${soap}"><s:Body>${body}</s:Body></s:Envelope>`)]).key;
  const usual = keyOf(
    '<Get xmlns="urn:n"><credentials><ApiKey>1</ApiKey></credentials><id>1</id><text> a </text></Get>',
  );

  it('is the same for another form, other credentials and another version', () => {
    const other = '<n:Get xmlns:n="urn:n">\n <n:credentials/>\n <n:id>1</n:id> <n:text> a </n:text>\n</n:Get>';
    assert.equal(keyOf(other), usual);
    assert.equal(keyOf(other, 'http://www.w3.org/2003/05/soap-envelope'), usual);
  });

  it('without a parameter is the same for any value of it, and for no other parameter', () => {
    const without = (body: string, ...names: readonly string[]): string =>
      callKey([
        Buffer.from(
          `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`,
        ),
      ]).without(names);
    const asked = (id: string, to: string): string => `<Get xmlns="urn:n"><id>${id}</id><to>${to}</to></Get>`;
    assert.equal(without(asked('1', 'today'), 'to'), without(asked('1', 'tomorrow'), 'to'));
    assert.notEqual(without(asked('1', 'today'), 'to'), without(asked('2', 'today'), 'to'));
    assert.notEqual(without(asked('1', 'today')), without(asked('1', 'tomorrow')));
  });

  for (const [title, body] of [
    ['operation', '<Got xmlns="urn:n"><id>1</id><text> a </text></Got>'],
    ['namespace', '<Get xmlns="urn:o"><id>1</id><text> a </text></Get>'],
    ['text', '<Get xmlns="urn:n"><id>2</id><text> a </text></Get>'],
    ['space within a text', '<Get xmlns="urn:n"><id>1</id><text>a</text></Get>'],
    ['order', '<Get xmlns="urn:n"><text> a </text><id>1</id></Get>'],
    ['absence', '<Get xmlns="urn:n"><id>1</id></Get>'],
    ['attribute', '<Get xmlns="urn:n"><id x="1">1</id><text> a </text></Get>'],
    ['depth', '<Get xmlns="urn:n"><id>1<text> a </text></id></Get>'],
  ] as const)
    it(`differs by ${title}`, () => assert.notEqual(keyOf(body), usual));
});
