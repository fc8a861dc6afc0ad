import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  isPostgresAddress,
  readPostgresAddress,
  readSchema,
  usualSchema,
  type PostgresAddress,
  findPassword,
} from '../../../src/mirror/postgres/address.js';
import { skip } from '../../support/skip.js';
import { argv } from '../../support/argv.js';
import { thrownBy } from '../../support/thrown.js';

const read = (text: string, variables: Readonly<Record<string, string>> = {}): PostgresAddress =>
  readPostgresAddress(text, { path: 'TARGET', variables });

const refusal = (text: string): string => {
  const { message, advice, hint } = thrownBy(() => read(text), 'usage');
  return `${message} ${advice ?? ''} ${hint ?? ''}`;
};

describe('The address of a PostgreSQL database', () => {
  it('names server, port, user and database, and asks for TLS with a full check', () => {
    assert.deepEqual(read('postgres://ann@db.example.com:6432/crm'), {
      host: 'db.example.com',
      port: 6432,
      user: 'ann',
      database: 'crm',
      tls: 'verify-full',
      connectSeconds: 10,
      shown: 'postgres://ann@db.example.com:6432/crm',
    });
    const other = read('postgresql://ann@db/crm?sslmode=verify-ca&sslrootcert=/etc/ca.pem&connect_timeout=3');
    assert.deepEqual(
      [other.port, other.tls, other.rootCertificate, other.connectSeconds],
      [5432, 'verify-ca', '/etc/ca.pem', 3],
    );
  });

  it('asks for no TLS on this machine alone', () => {
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', '%2Frun%2Fpostgresql']) {
      assert.equal(read(`postgres://ann@${host}/crm`).tls, 'disable', host);
    }
    for (const host of ['127.0.0.1.example.com', 'localhost.example.com', '[::2]', '10.0.0.1', '128.0.0.1']) {
      assert.equal(read(`postgres://ann@${host}/crm`).tls, 'verify-full', host);
    }
    assert.equal(read('postgres://ann@localhost/crm?sslmode=verify-full').tls, 'verify-full');
  });

  it('decodes what is percent-encoded, and shows it encoded again', () => {
    const { user, host, database, shown } = read('postgres://a%40b@%2Frun%2Fpg/c%20d%2Fe');
    assert.deepEqual([user, host, database], ['a@b', '/run/pg', 'c d/e']);
    assert.equal(shown, 'postgres://a%40b@%2Frun%2Fpg/c%20d%2Fe');
    assert.equal(read('postgres://a@[::1]:5433/d').shown, 'postgres://a@[::1]:5433/d');
  });

  it('takes the user of PGUSER, else that of the system', () => {
    assert.equal(read('postgres://db/crm', { PGUSER: 'bo' }).user, 'bo');
    assert.notEqual(read('postgres://db/crm').user, '');
  });

  it('is refused with a password, which is not shown', () => {
    for (const text of [
      'postgres://ann:hunter2@db/crm',
      'postgres://ann@db/crm?password=hunter2',
      'postgres://:hunter2@db/crm',
      'postgres://ann:hunter2@db:99999/crm',
      'postgres://ann:hunter2@db,db2/crm',
      'postgres://ann:hunter2@db/%ZZ',
      'postgres://ann:12?hunter2@db/crm',
      'postgres://ann:12/hunter2@db/crm',
      'postgres://ann:12#hunter2@db/crm',
      'postgres://ann@db/crm&password=hunter2',
      'postgres:/ann:hunter2@db/crm',
      'postgres:ann:12?hunter2@db/crm',
      ' postgres://ann:hunter2@db/crm',
      'jdbc:postgresql://ann:hunter2@db/crm',
    ]) {
      assert.doesNotMatch(refusal(text), /hunter2/, text);
    }
    assert.match(refusal('postgres://ann:hunter2@db/crm'), /without a password.*PGPASSWORD.*PGPASSFILE/);
  });

  it('is refused in words where it says too little, or what is not known', () => {
    assert.match(refusal('postgres://ann@db'), /has no database/);
    // As in every URL, these are steps of a path.
    assert.match(refusal('postgres://ann@db/.'), /has no database/);
    assert.match(refusal('postgres://ann@db/%2e.'), /has no database/);
    assert.match(refusal('postgres:///crm'), /has no server/);
    assert.match(refusal('postgres://a,b/crm'), /of one server/);
    assert.match(refusal('postgres://db/crm?sslmode=prefer'), /sslmode takes disable.*turn TLS off/);
    assert.match(refusal('postgres://db/crm?sslmode=on'), /not 'on'/);
    assert.match(refusal('postgres://db/crm?target_session_attrs=any'), /its options are sslmode/);
    assert.match(refusal('postgres://db/crm?sslmode=disable&sslmode=require'), /twice/);
    assert.match(refusal('postgres://db/crm?connect_timeout=0'), /1 to 3600/);
    assert.match(refusal('postgres://db/crm#x'), /%23/);
    assert.match(refusal('postgres://db/c%00rm'), /percent-encoded/);
    assert.match(refusal(`postgres://db/${'x'.repeat(3000)}`), /such as postgres:/);
  });

  it('is told from a file by its beginning', () => {
    assert.deepEqual(
      ['postgres://x', 'POSTGRESQL://x', 'mirror.db', './postgres:/x', 'postgres.db'].map(isPostgresAddress),
      [true, true, false, false, false],
    );
    assert.ok(
      ['postgres:x', ' postgres://x', 'jdbc:postgresql://x'].every(isPostgresAddress),
      'what is written wrong may hold a password, and makes no file',
    );
  });

  it('shows an address that reads as the same one again', () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
    const named = word.filter((text) => text !== '.' && text !== '..');
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((text) => `[${text}]`),
    );
    fc.assert(
      fc.property(word, named, host, fc.integer({ min: 1, max: 65_535 }), (user, database, name, port) => {
        const text = `postgres://${encodeURIComponent(user)}@${name}:${port}/${encodeURIComponent(database)}`;
        const first = read(text);
        assert.deepEqual([first.user, first.database, first.port], [user, database, port]);
        assert.deepEqual(read(first.shown), first);
      }),
    );
  });
});

describe('The name of a schema', () => {
  it('has small letters, digits and _, and begins with a letter', () => {
    for (const name of [usualSchema, 'crm_2', 'a']) assert.equal(readSchema(name, '--schema'), name);
    for (const name of ['', 'Crm', '2crm', 'a-b', 'a"b', 'pg_own', 'a'.repeat(64)])
      assert.throws(() => readSchema(name, '--schema'), /--schema/, name);
  });
});

describe('The password of a PostgreSQL database', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relctl-pgpass-'));
    file = join(folder, 'pgpass');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const found = (text: string, more: Readonly<Record<string, string>> = {}): string | undefined =>
    findPassword(readPostgresAddress(text, { path: 'TARGET', variables: {} }), { PGPASSFILE: file, ...more });
  const write = (...lines: readonly string[]): void => writeFileSync(file, lines.join('\n'), { mode: 0o600 });

  it('is that of PGPASSWORD before that of a file', () => {
    write('*:*:*:*:from-file');
    assert.equal(found('postgres://ann@db/crm', { PGPASSWORD: 'from-variable' }), 'from-variable');
    assert.equal(found('postgres://ann@db/crm'), 'from-file');
  });

  it('is that of the first line of the file that fits', () => {
    write(
      ...argv`
        "# db:5432:crm:ann:comment" db:5433:crm:ann:port db:5432:other:ann:database db:*:crm:bo:user
        db:5432:crm:ann:right *:*:*:*:any
      `,
    );
    assert.equal(found('postgres://ann@db/crm'), 'right');
    assert.equal(found('postgres://ann@elsewhere/crm'), 'any');
  });

  it('may hold what the file escapes', () => {
    write(
      String.raw`[\:\:1]:5432:crm:ann:no`,
      String.raw`\:\:1:5432:c\\m:a\:b:p\:q\\r`,
      'db:5432:crm:cy:a:b',
      'db:5432:crm:dee:c:',
    );
    assert.equal(found('postgres://a%3Ab@[::1]/c%5Cm'), 'p:q\\r');
    assert.equal(found('postgres://cy@db/crm'), 'a:b');
    assert.equal(found('postgres://dee@db/crm'), 'c:');
  });

  it('is that of localhost for a Unix socket', () => {
    write('localhost:5432:crm:ann:local');
    assert.equal(found('postgres://ann@%2Frun%2Fpostgresql/crm'), 'local');
  });

  it('is none where no line fits, a line is cut off, or there is no file', () => {
    assert.equal(found('postgres://ann@db/crm'), undefined);
    write('db:5432:crm:ann', 'other:*:*:*:x');
    assert.equal(found('postgres://ann@db/crm'), undefined);
  });

  it('is not read from a file that others can read, nor from a folder', function () {
    if (process.platform === 'win32') skip(this, 'Windows has no modes of files');
    write('*:*:*:*:from-file');
    chmodSync(file, 0o644);
    assert.throws(() => found('postgres://ann@db/crm'), {
      kind: 'profile',
      message: /read by other users/,
      hint: /chmod 600/,
    });
    file = folder;
    assert.throws(() => found('postgres://ann@db/crm'), { kind: 'profile', message: /not a regular file/ });
  });
});
