import assert from 'node:assert/strict';
import { RelctlError } from '../../../../src/errors/relctl-error.js';
import { copyMirror } from '../../../../src/mirror/postgres/reading/copy.js';
import { namesIn } from '../../../../src/mirror/postgres/schema.js';
import { tableNamed } from '../../../../src/mirror/tables.js';
import { connectTo, openMirror } from '../../../support/mirror/postgres.js';
import { startPostgres, type PostgresServer } from '../../../support/postgres.js';

describe('The copy of a mirror in PostgreSQL', function () {
  this.timeout(60_000);
  let server: PostgresServer;
  let address: string;
  before(async function () {
    server = await startPostgres(this);
    address = server.database();
    const { mirror } = await openMirror(address);
    await mirror.add({ name: 'marks', table: 'marks', input: {} });
    await mirror.close();
    const marks = "SELECT g, 1, '{\"Name\":\"Mark ' || g || '\"}', '', now(), now() FROM generate_series(1, 2000) g";
    server.psql(
      'db1',
      `INSERT INTO relctl.all_marks (_seq, _source, _record, _hash, _first_seen, _changed_at) ${marks}`,
    );
  });
  after(() => server.stop());

  async function namesOfMarks(most?: number): Promise<readonly unknown[]> {
    const postgres = await connectTo(address);
    try {
      const bounds = most === undefined ? {} : { most };
      const copy = await copyMirror(postgres, namesIn('relctl'), { tables: [tableNamed('marks')], ...bounds });
      const rows = copy.statement('SELECT "Name" FROM all_marks ORDER BY "_seq"').all();
      copy.close();
      return rows.flat();
    } finally {
      await postgres.close();
    }
  }

  it('holds every row', async () => {
    assert.deepEqual(
      await namesOfMarks(),
      Array.from({ length: 2000 }, (_, at) => `Mark ${at + 1}`),
    );
  });

  it('is refused above a size, which is told with what to use instead', async () => {
    const bytes = Number(server.psql('db1', "SELECT pg_table_size('relctl.all_marks')"));
    assert.equal((await namesOfMarks(bytes)).length, 2000);
    const thrown: unknown = await namesOfMarks(bytes - 1).catch((error: unknown) => error);
    assert.ok(thrown instanceof RelctlError);
    assert.deepEqual([thrown.kind, thrown.facts.code], ['local', 'too-large']);
    assert.match(thrown.message, /copy of marks, which take 0\.0 GiB in postgres:.*not copied/);
    assert.match(String(thrown.advice), /relctl sql/);
  });
});
