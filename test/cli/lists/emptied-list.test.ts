import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { place } from '../../support/operations/place.js';
import { answers, brokenServer, type BrokenServer } from '../../support/broken-server.js';
import { ends, type Run } from '../../support/relctl.js';
import { envelope, namespace } from '../../support/soap-answers.js';

const activityId = (row: number): string => `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`;

/** What stands in the place of a list in an answer: .asmx services answer like that when they caught an exception. */
const odd: Readonly<Record<string, (list: string) => string>> = {
  'no list': () => '',
  'text in its place': (list) => `<${list}>Object reference not set</${list}>`,
  'nil records': (list) => `<${list}><X xsi:nil="true" /><X xsi:nil="true" /></${list}>`,
  'an error instead': () => '<Error><Message>Timeout expired</Message></Error>',
};

describe('A list that vanishes', () => {
  const here = place();
  /** Ids of the rows that the service has, and what its answers hold instead where that is not undefined. */
  let rows: readonly number[] = [];
  let instead: ((list: string) => string) | undefined;
  let server: BrokenServer | undefined;

  const lists: Readonly<Record<string, readonly [list: string, record: (row: number) => string]>> = {
    RelationGetAll: [
      'Relations',
      (row) => `<PvRelationData><Id>${activityId(row)}</Id><DisplayName>Row ${row}</DisplayName></PvRelationData>`,
    ],
    ProductGetAll_V2: ['Products', (row) => `<PvProductData><Id>${activityId(row)}</Id></PvProductData>`],
  };

  const answerTo = (body: string): ReturnType<typeof envelope> => {
    const operation = /<(?:\w+:)?Body[^>]*>\s*<(\w+)/.exec(body)?.[1] ?? '';
    const [list, record] = lists[operation] ?? ['', () => ''];
    const size = Number(/<pageSize>(\d+)</.exec(body)?.[1] ?? rows.length);
    const page = Number(/<pageNumber>(\d+)</.exec(body)?.[1] ?? 1);
    const shown = rows.slice(Math.max(0, page - 1) * size, page * size);
    const content = instead?.(list) ?? `<${list}>${shown.map(record).join('')}</${list}>`;
    return envelope(
      '1.2',
      `<${operation}Response xmlns="${namespace}"><${operation}Result>${content}</${operation}Result></${operation}Response>`,
    );
  };

  before(async () => {
    server = await brokenServer({
      answer: (socket, { body }) => answers(answerTo(body.toString()))(socket, {} as never),
    });
  });
  beforeEach(() => {
    instead = undefined;
  });
  after(() => server?.close());

  const run = (...args: readonly string[]): Promise<Run> =>
    here.run([...args, '-o', 'ndjson', '-q', '--set', 'retries=0'], { env: { RELCTL_BASE_URL: server?.url ?? '' } });
  const kept = (name: string): string => join(here.folder, 'state/relctl/bookmarks/local', `${name}.bookmark`);
  const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, row) => row + 1);

  for (const [what, content] of Object.entries(odd)) {
    it(`ends --changes-since with 7, calls nothing gone and leaves the snapshot when the answer has ${what}`, async () => {
      for (const command of ['relation', 'product']) {
        rows = upTo(300);
        const name = `changes-${Object.keys(odd).indexOf(what)}-${command}`;
        const list = [command, 'list', '--changes-since', name];
        assert.equal((await run(...list)).code, 0);
        const before = readFileSync(kept(name));
        instead = content;
        const lost = await run(...list);
        assert.deepEqual([lost.code, lost.stdout], [7, ''], lost.stderr);
        assert.deepEqual(readFileSync(kept(name)), before);
        instead = undefined;
      }
    });
  }

  it('is not called gone when more than half of it is missing, and --max-shrink allows it', async () => {
    for (const command of ['relation', 'product']) {
      rows = upTo(500);
      const list = [command, 'list', '--changes-since', `shrunk-${command}`];
      assert.equal((await run(...list)).code, 0);
      const before = readFileSync(kept(`shrunk-${command}`));
      rows = upTo(200);
      const file = here.fresh('gone.ndjson');
      const refused = await ends(
        run(...list, '--output-file', file),
        8,
        /the list has 200 of the records of before, and the snapshot shrunk-\w+ had 500: 60 % fewer/,
      );
      assert.match(refused.stderr, /--max-shrink 60/);
      assert.ok(!existsSync(file) && !refused.stdout.includes('gone'));
      assert.deepEqual(readFileSync(kept(`shrunk-${command}`)), before);
      // A list that only changed its records is another one as well.
      rows = upTo(500).map((row) => row + 300);
      assert.equal((await run(...list)).code, 8);
      rows = upTo(200);
      await ends(run(...list, '--max-shrink', '60', '--output-file', file), 0);
      const gone = readFileSync(file, 'utf8').trimEnd().split('\n');
      assert.deepEqual([gone.length, gone.every((line) => line.includes('"_change":"gone"'))], [300, true]);
      assert.equal((await run(...list, '--max-shrink', '0')).code, 0);
    }
  });

  it('may lose what the rule for small lists allows, and no more than --max-shrink says', async () => {
    rows = upTo(10);
    const list = ['relation', 'list', '--changes-since', 'small'];
    assert.equal((await run(...list)).code, 0);
    rows = upTo(8);
    await ends(run(...list, '--max-shrink', '10'), 8, /--max-shrink 20/);
    rows = upTo(1);
    const taken = await run(...list);
    assert.deepEqual([taken.code, taken.stdout.trimEnd().split('\n').length], [0, 9]);
  });
});
