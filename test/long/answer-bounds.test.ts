import assert from 'node:assert/strict';
import { list, opt, recordWithoutPresence } from '../../src/contract/build.js';
import { string } from '../../src/contract/scalars.js';
import type { Value } from '../../src/core/values/value.js';
import { decoded } from '../support/soap/exchange.js';

const Part = recordWithoutPresence('Part', 'A part.', { Note: opt(string, 'Note.') });
const fields = { Name: opt(string, 'Name.'), Parts: opt(list(Part), 'Parts.') };
const longest = 16 * 1024 * 1024;

const refused = (content: string, path: string, words: RegExp): void =>
  assert.throws(() => decoded(fields, content), {
    kind: 'bad-answer',
    facts: { code: 'answer-limit', path },
    message: words,
  });

describe('what an answer holds in memory', () => {
  it('is a text of 16 Mi characters at most, in the contract or not', () => {
    const text = 'x'.repeat(longest);
    assert.deepEqual(decoded(fields, `<Name>${text}</Name>`).value, { Name: text });
    for (const name of ['Name', 'Other'])
      refused(`<${name}>${text}<![CDATA[x]]></${name}>`, name, /^\w+ has more than 16777216 characters$/);
  });

  it('is at most 32 Mi characters of one row of a list, wherever they stand in it', () => {
    const half = 'x'.repeat(longest);
    const parts = (content: string): string => `<Parts><Part><Note>${half}</Note>${content}</Part></Parts>`;
    const most = `${parts(`<Other>${half}</Other>`)}<Name>y</Name>`;
    assert.deepEqual(Object.keys(decoded(fields, most.replace('<Name>y</Name>', '')).value as object), ['Parts']);
    for (const [content, path] of [
      [`<Other>${half}</Other><More>x</More>`, 'Parts.Part.More'],
      [`<Other><a>${half}</a><b>x</b></Other>`, 'Parts.Part.Other.b'],
      [`<Other>${half}</Other>x`, 'Parts.Part'],
    ] as const)
      refused(parts(content), path, /is in a record of more than 33554432 characters$/);
    const rows = `<Part><Note>${half}</Note></Part>`.repeat(4);
    assert.equal((decoded(fields, `<Parts>${rows}</Parts>`).value as { Parts: readonly unknown[] }).Parts.length, 4);
  });

  it('is at most a million items of a list', () => {
    const { value } = decoded(fields, `<Parts>${'<Part/>'.repeat(1_000_000)}</Parts>`);
    assert.equal((value as { readonly Parts: readonly unknown[] }).Parts.length, 1_000_000);
    refused(`<Parts>${'<Part/>'.repeat(1_000_001)}</Parts>`, 'Parts', /^Parts has more than 1000000 items/);
  });

  it('is at most a million elements of a list that stand in no element of their own', () => {
    const part = { ...opt(list(string, 'Part'), 'Parts.'), repeats: true as const };
    assert.throws(() => decoded({ Part: part }, '<Part>a</Part>'.repeat(1_000_001)), {
      kind: 'bad-answer',
      facts: { code: 'answer-limit', path: 'Part' },
    });
  });

  it('is at most 250,000 elements that the contract does not describe', () => {
    const { value } = decoded(fields, '<a/>'.repeat(250_000));
    assert.equal((value as { readonly a: readonly unknown[] }).a.length, 250_000);
    refused('<a/>'.repeat(250_001), 'a', /^a is one of more than 250000 elements/);
  });

  it('is at most a million such elements in all, also where each row has a few', () => {
    const few = '<a/><b/><c/><d/><e/><f/><g/><h/><i/><j/><k/><l/><m/><n/><o/><p/>';
    const rows = (count: number): string => `<Parts>${`<Part>${few}</Part>`.repeat(count)}</Parts>`;
    const { value } = decoded(fields, rows(62_500));
    assert.equal((value as { readonly Parts: readonly unknown[] }).Parts.length, 62_500);
    refused(rows(62_501), 'Parts.Part.a', /^Parts\.Part\.a is one of more than 1000000 elements/);
  });

  it('counts no such element of a row that became something else, of which nothing is left', () => {
    const few = '<a/><b/><c/><d/><e/><f/><g/><h/><i/><j/><k/><l/><m/><n/><o/><p/>';
    const rows = `<Parts>${`<Part>${few}</Part>`.repeat(62_501)}</Parts>`;
    const taken = { path: ['Parts'], of: (): string => 'row' };
    const { value } = decoded(fields, rows, taken);
    assert.deepEqual(value, { Parts: Array<string>(62_501).fill('row') });
    const kept = { path: ['Parts'], of: (record: Value): Value => record };
    assert.throws(() => decoded(fields, rows, kept), { facts: { code: 'answer-limit', path: 'Parts.Part.a' } });
  });

  it('counts none of a few that each row has, as rows of a newer service do', () => {
    const few = Array.from({ length: 16 }, (_, at) => `<New${at}>7</New${at}>`).join('');
    const { value } = decoded(fields, `<Parts>${`<Part>${few}</Part>`.repeat(20_000)}</Parts>`);
    const { Parts } = value as { readonly Parts: readonly Record<string, unknown>[] };
    assert.equal(Parts.length, 20_000);
    assert.equal(Parts.at(-1)?.['New15'], '7');
    refused(
      `<Parts>${`<Part>${'<a/>'.repeat(1_000)}</Part>`.repeat(260)}</Parts>`,
      'Parts.Part.a',
      /^Parts\.Part\.a is one of/,
    );
  });
});
