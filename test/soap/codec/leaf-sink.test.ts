import type { RecordValue } from '../../../src/core/values/value.js';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { operations } from '../../../src/contract/service.js';
import type { Answer } from '../../../src/soap/wire/answer.js';
import { readResponse } from '../../../src/soap/wire/answer.js';
import type { ContentSink } from '../../../src/soap/codec/leaf.js';
import { bytesOf, envelope, namespace, read, stream } from '../../support/soap/exchange.js';

const head =
  '<Id>00000000-0021-4000-8000-000000000001</Id><CreationDate>2026-01-01T00:00:00</CreationDate><ModificationDate>2026-01-01T00:00:00</ModificationDate><FileName>a.txt</FileName><ExternalDmsType>0</ExternalDmsType>';

const answerWith = (content: string): Uint8Array =>
  bytesOf(
    envelope(
      `<AttachmentGetResponse xmlns="${namespace}"><AttachmentGetResult><Attachment>${head}${content}</Attachment></AttachmentGetResult></AttachmentGetResponse>`,
    ),
  );

/** Keeps what it is told. */
class Keeping implements ContentSink {
  readonly path = 'Attachment.Base64EncodedFile';
  readonly told: string[] = [];
  before: RecordValue | undefined;
  taken = '';

  restart(): void {
    this.told.push('restart');
    this.taken = '';
  }
  begin(before: RecordValue): void {
    this.told.push('begin');
    this.before = { ...before };
  }
  text(piece: string): void {
    this.taken += piece;
  }
  end(): string {
    this.told.push('end');
    return '(taken)';
  }
  ready(): Promise<void> {
    return Promise.resolve();
  }
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) => bytes.slice(index * size, (index + 1) * size));
}

const sunk = (content: string, sink: ContentSink, size = 1_000_000): Promise<Answer> =>
  readResponse(
    operations.AttachmentGet,
    { status: 200, headers: { 'content-type': 'text/xml' }, body: stream(cut(answerWith(content), size)) },
    { namespace, sink },
  );

describe('A sink for the content of an answer', () => {
  it('gets every character of the member, and of nothing else, however the answer is cut', async () => {
    const pieces = fc.array(
      fc.constantFrom('QUJD', 'Qk', ' ', '\n', '&#xD;', '&amp;', '<![CDATA[QQ]]>', '<!-- x -->', 'é'),
    );
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 400 }), async (parts, size) => {
        const content = `<Base64EncodedFile>${parts.join('')}</Base64EncodedFile>`;
        const sink = new Keeping();
        const plain = await read(operations.AttachmentGet, [answerWith(content)]);
        const answer = await sunk(content, sink, size);
        const whole = plain.result as { readonly Attachment: { readonly Base64EncodedFile: string } };
        assert.equal(sink.taken, whole.Attachment.Base64EncodedFile);
        assert.deepEqual(answer.result, { Attachment: { ...whole.Attachment, Base64EncodedFile: '(taken)' } });
        assert.deepEqual(answer.notes, plain.notes);
        assert.deepEqual(sink.told, ['restart', 'begin', 'end']);
      }),
    );
  });

  it('is told which members came before', async () => {
    const sink = new Keeping();
    await sunk('<Base64EncodedFile>QQ==</Base64EncodedFile>', sink);
    assert.equal(sink.before?.['FileName'], 'a.txt');
  });

  it('leaves nil as nil, and what is not there away', async () => {
    const nil = await sunk('<Base64EncodedFile xsi:nil="true" />', new Keeping());
    assert.deepEqual([(nil.result['Attachment'] as RecordValue)['Base64EncodedFile'], nil.notes], [null, []]);
    const sink = new Keeping();
    const absent = await sunk('', sink);
    assert.ok(!Object.hasOwn(absent.result['Attachment'] as RecordValue, 'Base64EncodedFile'));
    assert.deepEqual(sink.told, ['restart']);
  });

  it('takes content that is marked nil, which is noted', async () => {
    const sink = new Keeping();
    const { notes } = await sunk('<Base64EncodedFile xsi:nil="true">QQ==</Base64EncodedFile>', sink);
    assert.equal(sink.taken, 'QQ==');
    assert.deepEqual(notes, [{ kind: 'late-nil', path: 'Attachment.Base64EncodedFile', value: 'QQ==', count: 1 }]);
  });

  it('leaves the same name elsewhere to the record', async () => {
    const sink = new Keeping();
    const { result } = await sunk('<Extra><Base64EncodedFile>other</Base64EncodedFile></Extra>', sink);
    assert.deepEqual((result['Attachment'] as RecordValue)['Extra'], { Base64EncodedFile: 'other' });
    assert.equal(sink.taken, '');
  });

  it('does not take an element for content', async () => {
    const outcome = sunk('<Base64EncodedFile>QQ==<b /></Base64EncodedFile>', new Keeping());
    await assert.rejects(outcome, { kind: 'bad-answer', message: 'Attachment.Base64EncodedFile holds an element' });
  });
});
