import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { readAuthorities } from '../../../src/soap/transport/authorities.js';
import { authority, type Authority } from '../../support/certificates.js';
import { needs } from '../../support/skip.js';

describe('A file of authorities', () => {
  let own: Authority;
  let remove = (): void => undefined;
  before(function () {
    needs(this, 'openssl');
    own = authority();
    remove = () => own.remove();
  });
  after(() => remove());

  const made = (name: string, ...words: string[]): string => {
    const file = own.ca.certFile.replace('ca.crt', name);
    execFileSync('openssl', [...words, '-out', file], { stdio: 'ignore' });
    return file;
  };

  it('is one or more certificates in PEM, with any text around them', () => {
    const { cert } = own.ca;
    for (const text of [cert, `\ufeff${cert}`, cert.replaceAll('\n', '\r\n'), `subject=x\n${cert}\n${cert}`])
      assert.deepEqual(readAuthorities(Buffer.from(text)), { pem: text });
  });

  it('of another form is named, with the line that makes PEM of it', () => {
    const { certFile, keyFile, cert } = own.ca;
    const utf16 = own.ca.certFile.replace('ca.crt', 'utf 16.pem');
    writeFileSync(utf16, Buffer.from(`\ufeff${cert}`, 'utf16le'));
    const forms: readonly [file: string, why: RegExp][] = [
      [made('a.cer', 'x509', '-in', certFile, '-outform', 'DER'), /^has a certificate in DER,/],
      [made('a.p7b', 'crl2pkcs7', '-nocrl', '-certfile', certFile), /PKCS #7/],
      [made('b.p7b', 'crl2pkcs7', '-nocrl', '-certfile', certFile, '-outform', 'DER'), /PKCS #7/],
      [made('a.p12', 'pkcs12', '-export', '-in', certFile, '-inkey', keyFile, '-passout', 'pass:'), /PKCS #12/],
      [utf16, /UTF-16/],
    ];
    for (const [file, why] of forms) {
      const read = readAuthorities(readFileSync(file));
      assert.ok(!('pem' in read), file);
      assert.match(read.why, why);
      const line = read.converts?.(file).replace('pkcs12', 'pkcs12 -passin pass:') ?? assert.fail(file);
      execFileSync('/bin/sh', ['-c', line], { stdio: 'ignore' });
      const again = readAuthorities(readFileSync(`${file}.pem`));
      assert.ok('pem' in again && new X509Certificate(again.pem).ca, `${line}: ${JSON.stringify(again)}`);
    }
  });

  it('without a certificate, or with one that is damaged, is refused', () => {
    const { cert, key } = own.ca;
    assert.deepEqual(readAuthorities(Buffer.from(key)), { why: 'has a private key and no PEM certificate' });
    assert.deepEqual(readAuthorities(Buffer.from('none')), { why: 'has no PEM certificate' });
    const damaged = cert.replace(/\n[^\n]{40}/, '\n');
    assert.deepEqual(readAuthorities(Buffer.from(`${cert}${damaged}`)), {
      why: 'is damaged: its certificate 2 cannot be read',
    });
  });
});
