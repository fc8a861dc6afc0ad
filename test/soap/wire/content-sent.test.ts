import assert from 'node:assert/strict';
import fc from 'fast-check';
import { operations } from '../../../src/contract/service.js';
import { isStreamed } from '../../../src/soap/transport/http.js';
import { writeRequest } from '../../../src/soap/wire/request.js';
import { withContent } from '../../../src/soap/wire/content.js';
import { namespace, textOf, url } from '../../support/soap/exchange.js';

const base = {
  operation: operations.ActivityAddAttachment,
  credentials: { ApiKey: '00000000-0000-4000-8000-000000000001', DatabaseId: null, UserId: null },
  namespace,
  url,
} as const;

describe('A request with content', () => {
  it('writes what writeRequest writes of the whole text, each time that it is opened', () => {
    const names = fc.constantFrom(
      'a.txt',
      '<base64EncodedFile>x</base64EncodedFile>',
      '&lt;base64EncodedFile&gt;',
      'é😀',
    );
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(names, bytes, fc.constantFrom('1.1' as const, '1.2' as const), (fileName, content, version) => {
        const text = Buffer.from(content).toString('base64');
        const input = { activityId: '00000000-0020-4000-8000-000000000001', fileName };
        const whole = writeRequest({ ...base, version, input: { ...input, base64EncodedFile: text } });
        const streamed = withContent(
          writeRequest({ ...base, version, input: { ...input, base64EncodedFile: '[shown]' } }),
          {
            member: 'base64EncodedFile',
            length: text.length,
            open: () => [Buffer.from(text.slice(0, 4)), Buffer.from(text.slice(4))],
          },
        );
        const { body } = streamed;
        assert.ok(isStreamed(body));
        for (let time = 1; time <= 2; time += 1) {
          assert.equal(textOf(Buffer.concat([...body.open()])), textOf(whole.body));
        }
        assert.equal(body.length, whole.body.length);
        assert.deepEqual({ ...streamed, body: undefined }, { ...whole, body: undefined });
      }),
    );
  });

  it('refuses input as writeRequest does, and a member that has no place', () => {
    const content = { member: 'base64EncodedFile', length: 0, open: () => [] };
    assert.throws(() => withContent(writeRequest({ ...base, version: '1.2', input: {} }), content), { kind: 'usage' });
    const input = { activityId: '00000000-0020-4000-8000-000000000001', fileName: 'x', base64EncodedFile: '' };
    assert.throws(() => withContent(writeRequest({ ...base, version: '1.2', input }), content), { kind: 'bug' });
  });
});
