import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultService, type ResultService } from '../support/called.js';
import { ends } from '../support/relctl.js';

const guid = (number: number): string => `6f9619ff-8b86-d011-b42d-${number.toString(16).padStart(12, '0')}`;

interface Row {
  readonly id: number;
  readonly name: string;
}

// Some three hundred such rows are more than the 4 Mi characters of an answer that are kept as records.
const filler = 'Groß & klein '.repeat(1200);

const relation = ({ id, name }: Row): string =>
  `<PvRelationData><Id>${guid(id)}</Id><EntityTypeId>${guid(9999)}</EntityTypeId>` +
  `<DisplayName>${name} ${filler.replaceAll('&', '&amp;')}</DisplayName>` +
  '<IsRoot>true</IsRoot><IsDummy>false</IsDummy><IsInactive>false</IsInactive></PvRelationData>';

const rowsFrom = (first: number, count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: first + index, name: `R${first + index}` }));

/** A record as it is printed. */
const printed = ({ id, name }: Row): Readonly<Record<string, unknown>> => ({
  Id: guid(id),
  EntityTypeId: guid(9999),
  DisplayName: `${name} ${filler}`,
  IsRoot: true,
  IsDummy: false,
  IsInactive: false,
});

describe('A list in answers of many megabytes', function () {
  let service: ResultService;
  let pages: readonly (readonly Row[])[] = [];
  let names = 0;

  before(async () => {
    service = await resultService(({ operation, page }) =>
      operation === 'RelationGetAll'
        ? `<Relations>${(pages[page - 1] ?? []).map(relation).join('')}</Relations>`
        : undefined,
    );
  });
  beforeEach(() => {
    // Three pages: what was kept of the rows of one is filled again with those of another.
    pages = [rowsFrom(1, 350), rowsFrom(351, 350), rowsFrom(701, 350)];
  });
  after(() => service.close());

  const file = (name: string): string => join(service.place.folder, name);
  const listed = async (...flags: readonly string[]): Promise<string> => {
    return (await ends(service.run(['relation', 'list', ...flags]), 0)).stdout;
  };
  const lines = (text: string): readonly unknown[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);
  /** The records of each answer in a trace, in the order of the pages: several are under way, and any may come first. */
  const answersIn = (text: string): readonly (readonly { readonly Id: string }[])[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{"Relations":'))
      .map((line) => (JSON.parse(line) as { readonly Relations: readonly { readonly Id: string }[] }).Relations)
      .toSorted(([one], [other]) => ((one?.Id ?? '') < (other?.Id ?? '') ? -1 : 1));
  const changed = (some: readonly Row[]): readonly unknown[] =>
    some.map((row) => ({ _change: 'changed', ...printed(row) }));

  it('has what changed since the run before, to stdout and to a file, from whichever part of an answer', async () => {
    const name = `changes-${(names += 1)}`;
    const list = ['--changes-since', name, '-o', 'ndjson'];
    const first = lines(await listed(...list));
    assert.deepEqual(
      first,
      pages.flat().map((row) => ({ _change: 'new', ...printed(row) })),
    );
    assert.equal(await listed(...list), '');
    const edited = [3, 340, 352, 699, 1049].map((id) => ({ id, name: 'another' }));
    const isEdited = new Map(edited.map((row) => [row.id, row]));
    pages = pages.map((rows) => rows.filter(({ id }) => id !== 345).map((row) => isEdited.get(row.id) ?? row));
    assert.equal(await listed(...list, '--output-file', file('changes.ndjson')), '');
    assert.deepEqual(lines(readFileSync(file('changes.ndjson'), 'utf8')), [
      ...changed(edited),
      { _change: 'gone', Id: guid(345) },
    ]);
    assert.equal(await listed(...list), '');
  });

  it('is sorted, filtered and remembered as a whole, whatever of its changes is written', async () => {
    const name = `changes-${(names += 1)}`;
    const list = ['--changes-since', name, '-o', 'ndjson'];
    const few = lines(await listed(...list, '--where', "DisplayName like 'R34%'"));
    assert.deepEqual(
      few,
      [34, ...Array.from({ length: 10 }, (_, at) => 340 + at)].map((id) => ({
        _change: 'new',
        ...printed({ id, name: `R${id}` }),
      })),
    );
    // What the filter dropped is known all the same.
    assert.equal(await listed(...list), '');
    const edited = [5, 349, 1050].map((id) => ({ id, name: `Z${3000 - id}` }));
    const isEdited = new Map(edited.map((row) => [row.id, row]));
    pages = pages.map((rows) => rows.map((row) => isEdited.get(row.id) ?? row));
    await listed(...list, '--sort', 'DisplayName', '--output-file', file('sorted.ndjson'));
    assert.deepEqual(lines(readFileSync(file('sorted.ndjson'), 'utf8')), changed([...edited].reverse()));
  });

  it('is in a trace as it is in JSON, and a secret in it is not', async () => {
    const secret = 'hunter2-and-more';
    pages = [[...rowsFrom(1, 340), ...[341, 342].map((id) => ({ id, name: secret }))], rowsFrom(351, 300)];
    const all = pages.flat().map((row) => printed(row.name === secret ? { ...row, name: '********' } : row));
    const traced = async (target: string): Promise<string> => {
      const flags = ['relation', 'list', '-o', 'json', `--trace=${target}`];
      const env = { ...service.env, RELCTL_PASSWORD: secret, RELCTL_USER_NAME: 'operator' };
      const { stdout, stderr } = await ends(service.run(flags, { env }), 0);
      assert.equal((JSON.parse(stdout) as readonly unknown[]).length, all.length);
      return target === '-' ? stderr : readFileSync(target, 'utf8');
    };
    for (const target of [file('trace.log'), '-']) {
      const text = await traced(target);
      assert.ok(!text.includes(secret));
      const results = answersIn(text);
      assert.deepEqual(results.flat(), all);
      // Each answer is behind its own request.
      assert.deepEqual(
        text.split('\n').flatMap((line) => /^(?:> \w+|< SOAP [\d.]+)/.exec(line) ?? []),
        results.flatMap(() => ['> RelationGetAll', '< SOAP 1.2']),
      );
    }
  });

  it('is in a trace as a whole where a filter drops some of it', async () => {
    const filter = ['--where', "Id like '%5'"];
    const wanted = pages.flat().filter(({ id }) => guid(id).endsWith('5'));
    for (const [flags, found] of [
      [['-o', 'ndjson'], lines],
      [['-o', 'ndjson', '--output-file', file('few.ndjson')], () => lines(readFileSync(file('few.ndjson'), 'utf8'))],
      [
        ['--count'],
        (text: string) => Array.from({ length: Number(text) }, (_, at) => printed(wanted[at] ?? assert.fail())),
      ],
    ] as const) {
      const trace = file(`trace of ${flags.length}`);
      assert.deepEqual(found(await listed(...flags, ...filter, `--trace=${trace}`)), wanted.map(printed));
      assert.deepEqual(answersIn(readFileSync(trace, 'utf8')).flat(), pages.flat().map(printed));
    }
  });

  it('is asked as one list', async () => {
    for (const [query, wanted] of [
      ['length(@)', 1050],
      ["[?starts_with(DisplayName, 'R10')].Id | length(@)", 62],
      ['[].Id | [-1]', guid(1050)],
      ['sort_by(@, &Id)[700].Id', guid(701)],
    ] as const)
      assert.deepEqual(JSON.parse(await listed('--query', query, '-o', 'json')), wanted, query);
    const rows = JSON.parse(await listed('--query', '[].{a: Id, b: DisplayName}', '-o', 'json')) as unknown;
    assert.deepEqual(
      rows,
      pages.flat().map(({ id, name }) => ({ a: guid(id), b: `${name} ${filler}` })),
    );
  });
});
