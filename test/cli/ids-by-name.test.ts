import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { known } from '../../src/sandbox/dataset/known.js';
import { callsIn, place } from '../support/operations/place.js';
import type { Run } from '../support/relctl.js';

const { personId, organisationId } = known;
const otherId = '00000000-0000-4000-8000-000000000101';

describe('Names in a file of ids', () => {
  const here = place();
  const idsOf = (lines: readonly string[], ...more: readonly string[]): Promise<Run> => {
    const file = join(here.folder, 'ids.txt');
    writeFileSync(file, lines.join('\n'));
    return here.run(['relation', 'get', '--ids', file, '-o', 'csv', '--columns', 'Id', ...more]);
  };
  const rename = (id: string, name: string): void =>
    here.execute(`UPDATE "PvRelationData" SET "DisplayName" = '${name}' WHERE "Id" = '${id}'`);
  /** The error of what is refused before anything is called. */
  const refusal = async (lines: readonly string[]): Promise<string> => {
    const trace = here.fresh('trace');
    const { code, stdout, stderr } = await idsOf(lines, `--trace=${trace}`);
    assert.deepEqual([code, stdout, callsIn(trace)], [2, '', []]);
    return stderr;
  };
  const sync = async (): Promise<void> => {
    const { code, stderr } = await here.run(['mirror', 'sync', 'relations']);
    assert.deepEqual([code, stderr], [0, '']);
  };

  before(() => {
    rename(personId, 'Jo\u00eblle Veen');
    rename(organisationId, 'Twins');
    rename(otherId, 'Twins');
    here.execute(`UPDATE "PvRelationData" SET "ImportKey" = 'key-7' WHERE "Id" = '${otherId}'`);
  });

  it('need a mirror, and GUIDs none', async () => {
    assert.match(
      await refusal([personId, 'Jo\u00eblle Veen']),
      /^Error: \S*ids\.txt, line 2: 'Jo\u00eblle Veen' is no GUID such as .*there is none yet\n {2}Try: relctl mirror sync .*relations/,
    );
    const { code, stdout } = await idsOf([personId]);
    assert.deepEqual([code, stdout], [0, `Id\n${personId}\n`]);
  });

  it('are told from a header without a column Id before there is a mirror', async () => {
    assert.match(
      await refusal(['Relation,Name', `${personId},x`]),
      /^Error: \S*ids\.txt, line 1: 'Relation,Name' is no GUID; as a header it names no column Id, only Relation and Name\n {2}If it is a name: .*there is none yet; `relctl mirror sync .*relations` brings it\.\n {2}Try: relctl relation get --help/,
    );
    await sync();
  });

  it('stand for relations in the order of the file, each once, with nothing said to a script', async () => {
    const { code, stdout, stderr } = await idsOf(['key-7', organisationId, ' Joe\u0308lle Veen ', '# Twins']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(stdout, `Id\n${otherId}\n${organisationId}\n${personId}\n`);
    const twice = await idsOf([personId, 'Jo\u00eblle Veen']);
    assert.equal(twice.stdout, `Id\n${personId}\n`);
    assert.match(twice.stderr, /repeats ids \(lines: 1\)/);
  });

  it('may stand in the column Id of a table, where an empty cell is none', async () => {
    const { code, stdout } = await idsOf(['Nr,Id', '1,Jo\u00eblle Veen']);
    assert.deepEqual([code, stdout], [0, `Id\n${personId}\n`]);
    here.execute(`UPDATE "PvRelationData" SET "ImportKey" = '' WHERE "Id" = '${personId}'`);
    await sync();
    assert.match(await refusal(['Nr,Id', '1,']), /line 2: '' is no GUID/);
  });

  it('are told in the notes of JSON', async () => {
    const file = join(here.folder, 'ids.txt');
    writeFileSync(file, 'key-7\n');
    const { code, stderr } = await here.run(['relation', 'get', '--ids', file, '-o', 'json']);
    assert.equal(code, 0);
    const { notes } = JSON.parse(stderr) as { readonly notes: readonly string[] };
    assert.match(notes.join('\n'), new RegExp(`ids.txt, line 1: relation 'key-7' is ${otherId} by the mirror, synced`));
  });

  it('that mean several are refused with lines that may stand there instead', async () => {
    const stderr = await refusal([personId, 'Twins']);
    assert.match(stderr, /ids\.txt, line 2: 'Twins' is the name of 2 relations in the mirror \(synced .*\)/);
    const lines = stderr.split('\n').map((line) => line.trim());
    for (const id of [organisationId, otherId]) assert.ok(lines.includes(id), stderr);
    const start = lines.findIndex((line) => line.startsWith('#'));
    const { code, stdout } = await idsOf(lines.slice(start, start + 4));
    assert.deepEqual([code, stdout.split('\n').slice(1, 3).sort()], [0, [organisationId, otherId].sort()]);
  });

  it('count their case, and slips in GUIDs are no names', async () => {
    const stderr = await refusal(['TWINS']);
    assert.match(stderr, /line 1: 'TWINS' is no GUID, and no DisplayName or ImportKey .*the case of letters counts/);
    assert.ok(stderr.includes(organisationId));
    assert.match(await refusal([personId.slice(1)]), /line 1: .*it has 31 digits, and a GUID has 32/);
    assert.match(await refusal(['\u001b[31m'.padEnd(500, 'x')]), /^[ -~\u2026\n]*$/);
  });

  it('on the first line may be a header to the reader, where the mirror has none like it', async () => {
    const header = await refusal(['Relation,Name', `${personId},x`, 'nobody']);
    assert.match(
      header,
      /line 1: 'Relation,Name' is no GUID, and no DisplayName .* \(synced .*\); as a header it names no column Id, only Relation and Name\n/,
    );
    rename(otherId, 'Veen, J.');
    await sync();
    const { code, stdout } = await idsOf(['Veen, J.']);
    assert.deepEqual([code, stdout], [0, `Id\n${otherId}\n`]);
    const near = await refusal(['VEEN, J.', 'nobody']);
    assert.match(near, /2 lines do not mean one relation each/);
    assert.doesNotMatch(near, /as a header/);
    assert.doesNotMatch(await refusal(['VEEN, J.']), /as a header/);
    rename(otherId, 'Twins');
    await sync();
  });

  it('that are wrong are told together, up to ten', async () => {
    const some = await refusal(['nobody', personId, 'Twins', 'no one']);
    assert.match(some, /ids\.txt: 3 lines do not mean one relation each/);
    for (const line of ["line 1: 'nobody'", "line 3: 'Twins'", "line 4: 'no one'"])
      assert.ok(some.includes(line), some);
    const many = await refusal(Array.from({ length: 30 }, (_, at) => `nobody-${at}`));
    assert.match(many, /ids\.txt: 10 or more lines do not mean/);
    assert.ok(many.includes("line 10: 'nobody-9'") && !many.includes('nobody-10'));
  });

  it('are of a mirror as old as --max-age at most', async () => {
    rename(personId, 'Renamed');
    assert.match(await refusal(['Renamed']), /It may be newer than the mirror: `relctl mirror sync .*relations`/);
    const { code, stdout } = await idsOf(['Renamed'], '--max-age', '0s');
    assert.deepEqual([code, stdout], [0, `Id\n${personId}\n`]);
  });
});
