import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { Answer } from '../../../src/topics/mcp/answer.js';

const reading = { notes: [], isWrite: false };
const writing = { notes: [], isWrite: true };

interface Document {
  readonly count: number;
  readonly cut?: string;
  readonly notes?: readonly string[];
  readonly error?: Readonly<Record<string, unknown>>;
  readonly records: readonly unknown[];
}

const document = (text: string): Document => JSON.parse(text) as Document;

/** An answer to which a command printed this text, in pieces of so many bytes. */
async function printed(text: string, { maxBytes = 4096, pieces = 1000 } = {}): Promise<Answer> {
  const answer = new Answer(maxBytes);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieces) await answer.sink.writeBytes(bytes.subarray(at, at + pieces));
  return answer;
}

describe('The answer of a tool', () => {
  it('holds each record to the letter, however it was written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.integer({ min: 1, max: 40 }),
        async (values, pieces) => {
          const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
          fc.pre(text.length < 1500);
          const answer = await printed(text, { pieces });
          const { text: given, isError } = answer.end(undefined, reading);
          assert.deepEqual(
            [document(given), isError],
            [{ count: values.length, records: JSON.parse(JSON.stringify(values)) as unknown }, false],
          );
          assert.equal(answer.full.aborted, false);
        },
      ),
    );
  });

  it('is cut before the record that has no room, is never longer than it may be, and says so', async () => {
    const line = JSON.stringify({ Text: 'é'.repeat(200) });
    const answer = await printed(`${line}\n`.repeat(20));
    assert.equal(answer.full.aborted, true);
    const stopped = new RelctlError('interrupted', 'stopped', {});
    const { text, isError } = answer.end(stopped, {
      notes: Array.from({ length: 50 }, () => 'x'.repeat(500)),
      isWrite: false,
    });
    const { count, cut, notes = [], records } = document(text);
    assert.deepEqual([isError, count, records.length], [false, 4, 4]);
    assert.equal(
      cut,
      'cut at 4096 bytes: the next record has 411 bytes; request less, with columns, a filter, a limit or a page',
    );
    assert.deepEqual([notes.length, notes.at(-1)], [8, 'and 43 more notes']);
    assert.ok(Buffer.byteLength(text) <= 4096, String(Buffer.byteLength(text)));
  });

  it('keeps the first items of the longest list of a single record', async () => {
    const items = Array.from({ length: 300 }, (_, at) => ({ Id: at }));
    const answer = await printed(`${JSON.stringify({ Few: [1, 2], Items: items, Name: 'x' })}\n`);
    const { text, isError } = answer.end(undefined, reading);
    const { cut, records } = document(text);
    const [only] = records as readonly {
      readonly Few: unknown;
      readonly Items: readonly unknown[];
      readonly Name: string;
    }[];
    const left = only?.Items.length ?? 0;
    assert.ok(left > 100 && left < 300);
    assert.deepEqual(only, { Few: [1, 2], Items: items.slice(0, left), Name: 'x' });
    assert.equal(isError, false);
    assert.match(String(cut), new RegExp(`Items has ${left} of 300 items`));
  });

  it('tells no more of notes than there is room for, whatever their letters are', async () => {
    const line = JSON.stringify('x'.repeat(2030));
    const notes = Array.from({ length: 20 }, () => '\u202e€'.repeat(200));
    const { text } = (await printed(`${line}\n${line}\n`)).end(undefined, { notes, isWrite: false });
    assert.equal(document(text).notes?.at(-1), 'and 19 more notes');
    assert.ok(Buffer.byteLength(text) <= 4096, String(Buffer.byteLength(text)));
  });

  it('is an error where the first record has no room', async () => {
    const { text, isError } = (await printed(`${JSON.stringify('x'.repeat(9000))}\n`)).end(undefined, reading);
    const { error, records } = document(text);
    assert.deepEqual([isError, error?.['kind'], error?.['code'], records], [true, 'partial', 'max-bytes', []]);
  });

  it('of a write that was done is no error, however long the record is; of one that failed it is', async () => {
    const long = `${JSON.stringify('x'.repeat(9000))}\n`;
    const done = (await printed(long)).end(undefined, writing);
    assert.deepEqual([done.isError, document(done.text).count], [false, 0]);
    assert.match(document(done.text).cut ?? '', /the first record has 9002 bytes/);
    const failed = (await printed(long)).end(new RelctlError('outcome-unknown', 'lost'), writing);
    assert.deepEqual([failed.isError, document(failed.text).error?.['kind']], [true, 'outcome-unknown']);
  });

  it('holds what came before a failure beside the error, whose data go where they have no room', async () => {
    const failure = new RelctlError('partial', 'a page failed', { data: { rows: 'x'.repeat(9000) }, hint: null });
    const { text, isError } = (await printed('{"Id":1}\n')).end(failure, reading);
    assert.equal(isError, true);
    assert.deepEqual(document(text), {
      count: 1,
      error: { kind: 'partial', layer: 'service', message: 'a page failed', exitCode: 8 },
      records: [{ Id: 1 }],
    });
  });

  it('tells no secret of an error or a note', async () => {
    const failure = new RelctlError('profile', 'hush-hush was refused');
    const hide = (text: string): string => text.replaceAll('hush-hush', '***');
    const { text } = (await printed('')).end(failure, { notes: ['not hush-hush'], isWrite: false, hide });
    assert.deepEqual([document(text).error?.['message'], document(text).notes], ['*** was refused', ['not ***']]);
  });

  it('holds what is no JSON as a text', async () => {
    const { text } = (await printed('Id  what it is\n"half\n')).end(undefined, reading);
    assert.deepEqual(document(text).records, ['Id  what it is', '"half']);
  });
});
