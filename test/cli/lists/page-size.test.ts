import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ends, home, relctl, type Run } from '../../support/relctl.js';
import { envelope, namespace } from '../../support/soap-answers.js';

const idOf = (n: number): string => `6f9619ff-8b86-d011-b42d-${String(n).padStart(12, '0')}`;
const rowOf = (n: number): string =>
  `<PvRelationData><Id>${idOf(n)}</Id><EntityTypeId>${idOf(0)}</EntityTypeId><SortingName>A</SortingName><DisplayName>B</DisplayName><IsRoot>false</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive></PvRelationData>`;

/** How the service answers a page of more rows than it can give; undefined for a service that gives them. */
type TooMany = 'refused' | 'no answer' | 'no rows' | 'fewer' | undefined;

describe('The page size of a list of which nobody says it', () => {
  const place = home();
  const most = 100;
  let count = 250;
  let tooMany: TooMany;
  let failsAt: number | undefined;
  let asked: (readonly [page: number, size: number])[] = [];
  let server: Server;

  function body(page: number, size: number): string {
    const start = (page - 1) * size;
    const given = size > most && tooMany === 'no rows' ? 0 : size > most && tooMany === 'fewer' ? most : size;
    const rows = Array.from({ length: Math.max(0, Math.min(given, count - start)) }, (_, at) => rowOf(start + at + 1));
    const list = page === failsAt ? '' : `<Relations>${page < 1 ? '' : rows.join('')}</Relations>`;
    const result = `<RelationGetAllResult>${list}</RelationGetAllResult>`;
    return `<RelationGetAllResponse xmlns="${namespace}">${result}</RelationGetAllResponse>`;
  }

  const refusal =
    '<s:Fault xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="en">too many rows</s:Text></s:Reason></s:Fault>';

  before(async () => {
    server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      request.on('end', () => {
        const number = (name: string): number => Number(new RegExp(`${name}>(\\d+)<`).exec(text)?.[1] ?? 0);
        const [page, size] = [number('pageNumber'), number('pageSize')];
        asked.push([page, size]);
        const isRefused = size > most && tooMany === 'refused';
        if (size > most && tooMany === 'no answer') return;
        response.writeHead(isRefused ? 500 : 200, { 'Content-Type': 'application/soap+xml; charset=utf-8' });
        response.end(envelope('1.2', isRefused ? refusal : body(page, size)).body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const words = ['--base-url', `http://127.0.0.1:${port}`, '--namespace', namespace, '--api-key-stdin', '--use'];
    const input = '7d9f4c1e-3a52-4b8e-9c06-5f1d2e8a7b34\n';
    await ends(relctl(['profile', 'add', 'there', ...words], { env: place.env, input }), 0);
  });
  beforeEach(() => {
    [count, tooMany, failsAt, asked] = [250, undefined, undefined, []];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    place.remove();
  });

  const file = (name: string): string => join(place.folder, name);
  const list = (...flags: readonly string[]): Promise<Run> =>
    relctl(['relation', 'list', '--columns', 'Id', ...flags], { env: place.env });
  const listTo = (name: string, ...flags: readonly string[]): Promise<Run> =>
    list('--output-file', file(name), ...flags);
  const idsIn = (name: string): readonly string[] => readFileSync(file(name), 'utf8').trim().split('\n').slice(1);
  const hasAll = (name: string): void =>
    assert.deepEqual(
      idsIn(name),
      Array.from({ length: count }, (_, at) => idOf(at + 1)),
    );
  const sizes = (): readonly number[] => asked.map(([, size]) => size);

  it('is 1,000, and all later pages have the size that comes', async () => {
    for (const [rows, fewer, wanted] of [
      [2500, undefined, 1000],
      [250, 'fewer', 100],
    ] as const) {
      [count, tooMany, asked] = [rows, fewer, []];
      await ends(listTo(`usual-${rows}.csv`), 0, '');
      hasAll(`usual-${rows}.csv`);
      assert.deepEqual([sizes()[0], new Set(sizes().slice(1))], [1000, new Set([wanted])]);
    }
  });

  for (const [how, words] of [
    ['refused', 'too many rows'],
    ['no answer', 'more than 1 s'],
    ['no rows', 'no row came'],
  ] as const) {
    it(`is 100 where 1,000 rows are answered by ${how}, which is tried once and told, with --consistent too`, async () => {
      tooMany = how;
      const { stderr } = await ends(listTo('tried.csv', '--force', '--consistent', '--timeout', '1'), 0);
      hasAll('tried.csv');
      assert.deepEqual([sizes()[0], new Set(sizes().slice(1))], [1000, new Set([100])]);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
      assert.match(stderr, new RegExp(`a page of 1000 rows failed \\(.*${words}\\): relctl requests 100 at a time`));
      assert.match(stderr, /relctl profile edit there --set pageSize=100$/m);
    });
  }

  it('is 100 for one page by its number, so that the number means the same rows as ever, with fields and for changes', async () => {
    for (const flags of [['--page', '2'], ['--include-fields'], ['--changes-since', 'night']])
      await list(...flags, '-o', 'ndjson');
    assert.deepEqual(asked.slice(0, 2), [
      [2, 100],
      [1, 100],
    ]);
    assert.deepEqual(new Set(sizes()), new Set([100]));
  });

  it('is no more than --limit needs, and what the profile, a variable or the flag says', async () => {
    const first = async (...flags: readonly string[]): Promise<number | undefined> => {
      asked = [];
      await ends(list('-o', 'csv', ...flags), 0);
      return sizes()[0];
    };
    const limits: (number | undefined)[] = [];
    for (const limit of [1, 99, 100, 250, 5000]) limits.push(await first('--limit', String(limit)));
    assert.deepEqual(limits, [100, 100, 101, 251, 1000]);
    assert.equal(await first('--page-size', '30'), 30);
    assert.equal(await first('--page-size', '2000', '--limit', '5'), 2000);
    const dry = await list('--envelope');
    assert.match(dry.stdout, /pageSize>1000</);
  });

  describe('of an export that was interrupted', () => {
    /** The lowest page that was asked for but 0, at the end of a list: those that are asked for at once arrive in any order. */
    const lowest = () => asked.filter(([page]) => page > 0).sort(([left], [right]) => left - right)[0];
    const interrupted = async (name: string, page: number, ...flags: readonly string[]): Promise<void> => {
      failsAt = page;
      await ends(listTo(name, '--concurrency', '1', ...flags), 8);
      [failsAt, asked] = [undefined, []];
    };

    it('is the one that it was begun with, also where that was found out', async () => {
      for (const [rows, how, page, wanted] of [
        [3500, undefined, 3, 1000],
        [350, 'refused', 3, 100],
        [350, 'fewer', 3, 100],
      ] as const) {
        [count, tooMany] = [rows, how];
        await interrupted(`cut-${String(how)}.csv`, page);
        await ends(listTo(`cut-${String(how)}.csv`, '--resume'), 0, '');
        hasAll(`cut-${String(how)}.csv`);
        assert.deepEqual([lowest(), new Set(sizes())], [[2, wanted], new Set([wanted])]);
      }
    });

    it('is not another one that is asked for then', async () => {
      count = 3500;
      await interrupted('other.csv', 3);
      const other = await listTo('other.csv', '--resume', '--page-size', '100');
      assert.equal(other.code, 2);
      assert.match(other.stderr, /used 1000 rows per page, and cannot be resumed with 100\n.*\n.*--restart/);
      assert.deepEqual(asked, []);
      assert.equal((await listTo('other.csv', '--resume')).code, 0);
      hasAll('other.csv');
    });

    it('is 100 where an earlier version began it, whose pages had as many', async () => {
      count = 350;
      // What that version wrote: the journal has no other page size than that of its first line.
      await interrupted('old.csv', 3, '--page-size', '100');
      assert.match(readFileSync(file('old.csv.journal'), 'utf8'), /"pageSize":100,/);
      const { code, stderr } = await listTo('old.csv', '--resume');
      assert.deepEqual([code, stderr, lowest(), new Set(sizes())], [0, '', [2, 100], new Set([100])]);
      hasAll('old.csv');
    });
  });
});
