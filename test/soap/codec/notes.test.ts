import assert from 'node:assert/strict';
import { createNoteCollector } from '../../../src/soap/codec/notes.js';

describe('a note book', () => {
  it('counts what comes again at the same place, and keeps the first value', () => {
    const book = createNoteCollector();
    book.add('bad-value', 'Marks.Type', 'a');
    book.add('bad-value', 'Marks.Type', 'b');
    book.add('missing-field', 'Marks.Type');
    assert.deepEqual(book.all(), [
      { kind: 'bad-value', path: 'Marks.Type', value: 'a', count: 2 },
      { kind: 'missing-field', path: 'Marks.Type', count: 1 },
    ]);
  });

  it('shows what one cannot see, and cuts what is long', () => {
    const book = createNoteCollector();
    book.add('bad-value', 'Id', `\u001b[31m${'x'.repeat(200)}`);
    const value = book.all()[0]?.value ?? '';
    assert.ok(value.startsWith('\\u001B[31mxxx'));
    assert.ok(value.endsWith('…') && value.length < 100);
  });

  it('does not grow without end', () => {
    const book = createNoteCollector();
    for (let index = 0; index < 5000; index += 1) book.add('unknown-field', `New${index}`);
    book.add('unknown-field', 'New0');
    assert.equal(book.all().length, 500);
    assert.equal(book.all()[0]?.count, 2);
  });

  it('gives what was found so far, not what comes later', () => {
    const book = createNoteCollector();
    const before = book.all();
    book.add('late-nil', 'Name', 'x');
    assert.deepEqual(before, []);
  });
});
