import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPostgresAddress, findPassword } from '../../../src/mirror/postgres/address.js';
import { skip } from '../../support/skip.js';

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
      '# db:5432:crm:ann:comment',
      'db:5433:crm:ann:port',
      'db:5432:other:ann:database',
      'db:*:crm:bo:user',
      'db:5432:crm:ann:right',
      '*:*:*:*:any',
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
