import { callPlace, mirrorsCalls } from '../support/mirror/calls.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';

describe('A list of an operation in a mirror in PostgreSQL', function () {
  this.timeout(120_000);
  const place = callPlace();
  let server: PostgresServer;
  let address: string;
  before(async function () {
    server = await startPostgres(this, { auth: 'scram-sha-256' });
    // `sql` asks as no superuser.
    address = server.database().replace('//owner@', '//writer@');
    server.psql('db1', "CREATE ROLE writer LOGIN PASSWORD 'write'; GRANT CREATE ON DATABASE db1 TO writer");
    place.here().env['PGPASSWORD'] = 'write';
  });
  after(() => server.stop());
  mirrorsCalls(place, { to: () => ['--to', address] });
});
