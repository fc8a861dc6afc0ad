import assert from 'node:assert/strict';
import { readPostgresAddress } from '../../../src/mirror/postgres/address.js';
import { connectPostgres, type Postgres } from '../../../src/mirror/postgres/connect.js';
import { authority, type Authority } from '../../support/certificates.js';
import { startPostgres, superuser, superuserPassword, type PostgresServer } from '../../support/postgres.js';
import { needs } from '../../support/skip.js';
import { failureOf } from '../../support/thrown.js';

const connect = (text: string, password?: string): Promise<Postgres> =>
  connectPostgres(readPostgresAddress(text, { path: 'TARGET', variables: {} }), { password: () => password });

describe('A connection to PostgreSQL with a password and TLS', () => {
  let server: PostgresServer;
  let ours: Authority;
  before(async function () {
    needs(this, 'openssl');
    ours = authority();
    server = await startPostgres(this, {
      auth: 'scram-sha-256',
      tls: ours.issue({ name: 'server', names: 'DNS:localhost' }),
    });
  });
  after(async () => {
    // Neither is there where OpenSSL or PostgreSQL is not installed.
    await (server as PostgresServer | undefined)?.stop();
    (ours as Authority | undefined)?.remove();
  });
  const address = (host: string, options = ''): string =>
    `postgres://${superuser}@${host}:${server.port}/postgres${options}`;
  const usesTls = async (text: string): Promise<string | null | undefined> => {
    const connection = await connect(text, superuserPassword);
    const row = await connection.first('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    await connection.close();
    return row?.[0];
  };

  it('logs in with the password', async () => {
    assert.equal(await usesTls(address('127.0.0.1')), 'f');
  });

  it('refuses a wrong or a missing password as what it is, and never shows one', async () => {
    const wrong = await failureOf(connect(address('127.0.0.1'), 'Wr0ngSecret'));
    assert.deepEqual([wrong.kind, wrong.reportedCode], ['profile', '28P01']);
    assert.doesNotMatch(JSON.stringify([wrong.message, wrong]), /Wr0ngSecret/);
    const missing = await failureOf(connect(address('127.0.0.1')));
    assert.equal(missing.kind, 'profile');
    assert.match(missing.message, /requires a password, and there is none/);
  });

  it('checks the authority and the name', async () => {
    const trusted = `&sslrootcert=${encodeURIComponent(ours.ca.certFile)}`;
    assert.equal(await usesTls(address('localhost', `?sslmode=verify-full${trusted}`)), 't');
    const unknown = await failureOf(connect(address('localhost', '?sslmode=verify-full'), superuserPassword));
    assert.equal(unknown.kind, 'no-answer');
    assert.match(`${unknown.message} ${unknown.advice ?? ''}`, /untrusted certificate.*sslrootcert/);
    const named = await failureOf(connect(address('127.0.0.1', `?sslmode=verify-full${trusted}`), superuserPassword));
    assert.equal(named.reportedCode, 'ERR_TLS_CERT_ALTNAME_INVALID');
    assert.equal(await usesTls(address('127.0.0.1', `?sslmode=verify-ca${trusted}`)), 't');
    assert.equal(await usesTls(address('127.0.0.1', '?sslmode=require')), 't');
  });

  it('checks the authority that is named with sslmode=require, too', async () => {
    const stranger = authority();
    const options = `?sslmode=require&sslrootcert=${encodeURIComponent(stranger.ca.certFile)}`;
    assert.equal((await failureOf(connect(address('127.0.0.1', options), superuserPassword))).kind, 'no-answer');
    stranger.remove();
  });

  it('names a PEM file that cannot be read', async () => {
    const failure = await failureOf(connect(address('localhost', '?sslmode=verify-full&sslrootcert=/no/such.pem')));
    assert.equal(failure.kind, 'usage');
    assert.match(failure.message, /no\/such\.pem/);
  });
});

describe('A connection to a PostgreSQL without TLS', () => {
  it('is not made in clear text where TLS was asked for', async function () {
    const server = await startPostgres(this);
    try {
      const failure = await failureOf(connect(`postgres://owner@localhost:${server.port}/postgres?sslmode=require`));
      assert.equal(failure.kind, 'no-answer');
      assert.match(failure.message, /does not support TLS/);
    } finally {
      await server.stop();
    }
  });
});
