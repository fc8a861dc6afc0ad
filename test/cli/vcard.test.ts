import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { place } from '../support/operations/place.js';
import { cardsByVobject } from '../support/output/vcards.js';
import { needs } from '../support/skip.js';

describe('The phone book as vCards', () => {
  const here = place();
  const book = ['relation', 'phone-book', '--quiet'];
  const one = ['--limit', '1', '-o', 'vcard'];

  const numbers = (text: string): readonly string[] => text.match(/(?<=^TEL[^:]*:).*(?=\r$)/gm) ?? [];

  it('is dialled from the country of the flag, of the variable, or of none', async () => {
    const [typed, read] = [
      ['0900 - 0555', '(010) 555 01 98'],
      ['+319000555', '+31105550198'],
    ];
    assert.deepEqual(numbers((await here.run([...book, ...one])).stdout), typed);
    assert.deepEqual(numbers((await here.run([...book, ...one, '--country', 'nl'])).stdout), read);
    assert.deepEqual(numbers((await here.run([...book, ...one], { env: { RELCTL_COUNTRY: 'NL' } })).stdout), read);
  });

  it('says how many numbers could not be read', async () => {
    const { stderr } = await here.run(['relation', 'phone-book', ...one]);
    assert.match(stderr, /Note: numbers that could not be read and stand as they were typed: 2; --country/);
  });

  it('is a file that ends in .vcf', async () => {
    const file = join(here.folder, 'book.vcf');
    const { code, stderr } = await here.run([...book, '--output-file', file]);
    assert.deepEqual([code, stderr], [0, '']);
    const all = (await here.run([...book, '-o', 'vcard'])).stdout;
    assert.equal(readFileSync(file, 'utf8'), all);
    const entries = JSON.parse((await here.run([...book, '-o', 'json'])).stdout) as { relation: { Id: string } }[];
    const ids = [...all.matchAll(/^UID:urn:uuid:(.*)\r$/gm)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(entries.map(({ relation }) => relation.Id.toLowerCase()))]);
  });

  it('is imported with each name and each number of the list', async function () {
    needs(this, 'python3 with vobject');
    const file = join(here.folder, 'import.vcf');
    const run = await here.run([...book, '--country', 'NL', '--output-file', file]);
    assert.equal(run.code, 0, run.stderr);
    interface Entry {
      readonly relation: { readonly Id: string; readonly DisplayName: string };
      readonly TelephoneNumbers: readonly { readonly Value: string }[];
    }
    const entries = await here.json<readonly Entry[]>(book);
    const names = new Map(entries.map(({ relation }) => [relation.Id.toLowerCase(), relation.DisplayName]));
    // Of any number the digits at its end stay, however it is written.
    const end = (number: string): string => number.replace(/\D/g, '').slice(-7);
    const wanted = (id: string): ReadonlySet<string> =>
      new Set(
        entries
          .filter(({ relation }) => relation.Id.toLowerCase() === id)
          .flatMap(({ TelephoneNumbers }) => TelephoneNumbers.map(({ Value }) => end(Value))),
      );
    const cards = cardsByVobject(readFileSync(file));
    assert.equal(cards.length, names.size);
    for (const { uid, fn, tel } of cards) {
      const id = (uid ?? '').replace('urn:uuid:', '');
      assert.equal(fn, names.get(id));
      assert.deepEqual(new Set(tel.map(([number]) => end(number))), wanted(id));
      for (const [number] of tel) assert.match(number, /^\+\d+(,\d+)?$/);
    }
  });

  it('is refused with exit code 2 where it means nothing', async () => {
    for (const [args, said] of [
      [['relation', 'list', '-o', 'vcard'], /-o vcard writes what relctl relation phone-book prints, and nothing else/],
      [
        ['relation', 'list', '--output-file', join(here.folder, 'x.vcf')],
        /-o vcard writes what relctl relation phone-book/,
      ],
      [[...book, '-o', 'vcard', '--query', '[0]'], /-o vcard writes what relctl relation phone-book/],
      [[...book, '-o', 'vcard', '--columns', 'relation.Id'], /--columns is for .*, not for vcard/],
      [[...book, '-o', 'vcard', '--country', 'UK'], /takes a country by ISO 3166, such as NL, not 'UK'\n.*Try: .*GB/s],
      [[...book, '-o', 'vcard', '--country', 'Nederland'], /takes a country by ISO 3166/],
    ] as const) {
      const { code, stdout, stderr } = await here.run(args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, said);
    }
  });
});
