import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { place } from '../support/operations/place.js';
import { startPostgres, superuserPassword, type PostgresServer } from '../support/postgres.js';

describe('What is offered at Tab, of a mirror in PostgreSQL', function () {
  this.timeout(120_000);
  const here = place();
  let server: PostgresServer;
  let address: string;
  before(async function () {
    server = await startPostgres(this, { auth: 'scram-sha-256' });
    address = server.database();
    const [[id]] = here.rows('SELECT min(Id) FROM PvRelationData') as [[string]];
    here.execute(`UPDATE PvRelationData SET DisplayName = 'Zebra "Crossing"', ImportKey = 'ZZ-1' WHERE Id = '${id}'`);
    const words = ['mirror', 'sync', 'relations', 'marks', '--to', address, '--quiet'];
    const { code, stderr } = await here.run(words, { env: { ...here.env, PGPASSWORD: superuserPassword } });
    assert.equal(code, 0, stderr);
  });
  after(() => server.stop());

  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    ...here.env,
    RELCTL_MIRROR: address,
    PGPASSWORD: superuserPassword,
    ...more,
  });

  /** What fish is given, with what each word is for. */
  async function offered(line: string, env: NodeJS.ProcessEnv = environment()): Promise<readonly string[]> {
    const { code, stdout, stderr } = await here.run(['autocomplete', 'fish', `--line=relctl ${line}`], { env });
    assert.deepEqual([code, stderr], [0, ''], line);
    return stdout.trimEnd().split('\n').slice(1);
  }

  it('are names that begin as typed, in small letters and with capitals too', async () => {
    const zebra = ['Zebra "Crossing"\tZZ-1, Zebra "Crossing"'];
    for (const typed of ['Zeb', 'zeb', 'ZEB']) {
      const found = await offered(`relation get ${typed}`);
      assert.deepEqual(
        found.map((line) => line.split('\t', 1)[0]),
        typed === 'ZEB' ? ['Zebra "Crossing"'] : zebra.map((line) => line.split('\t', 1)[0]),
        typed,
      );
    }
    assert.deepEqual(
      (await offered('relation get ZZ')).map((line) => line.split('\t', 1)[0]),
      ['ZZ-1'],
    );
    const all = await offered('relation get ');
    const names = here.rows(`SELECT count(DISTINCT DisplayName) FROM PvRelationData`) as unknown as [[number]];
    assert.ok(all.length > Math.min(40, names[0][0]) && all.length <= 50, String(all.length));
  });

  it('are sources, also of the mirror that the line names', async () => {
    const marks = 'marks\tmarks';
    assert.ok((await offered('mirror sync m')).includes(marks));
    const without = { ...environment(), RELCTL_MIRROR: undefined };
    assert.ok(!(await offered('mirror sync m', without)).includes(marks));
    assert.ok((await offered(`mirror sync --to ${address} m`, without)).includes(marks));
  });

  it('is nothing for a server that says nothing, is not there, or wants another password', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const to = (host: string): string => `postgres://owner@${host}/db1?sslmode=disable`;
    try {
      const began = performance.now();
      assert.deepEqual(await offered('relation get Z', environment({ RELCTL_MIRROR: to(`127.0.0.1:${port}`) })), []);
      assert.equal(sockets.length, 1);
      // The usual limit to connect is ten seconds.
      assert.ok(performance.now() - began < 8000);
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    }
    assert.deepEqual(await offered('relation get Z', environment({ RELCTL_MIRROR: to('127.0.0.1:1') })), []);
    assert.deepEqual(await offered('relation get Z', environment({ PGPASSWORD: 'wrong' })), []);
  });

  it('runs no program for a password', async () => {
    const file = here.fresh('ran');
    const made = await here.run([
      'profile',
      'edit',
      'local',
      '--mirror',
      address,
      `--mirror-password-from=cmd:touch ${file}`,
    ]);
    assert.equal(made.code, 0, made.stderr);
    const env = { ...environment(), RELCTL_MIRROR: undefined, PGPASSWORD: undefined };
    assert.deepEqual(await offered('relation get Z', env), []);
    assert.equal(existsSync(file), false);
  });
});
