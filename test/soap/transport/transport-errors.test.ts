import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { AxiosError, type InternalAxiosRequestConfig } from 'axios';
import type { Code } from '../../../src/core/errors/codes.js';
import type { Kind } from '../../../src/core/errors/kinds.js';
import {
  proxyError,
  timeoutError,
  transportError,
  upgradeError,
  type Progress,
} from '../../../src/soap/transport/transport-errors.js';

const limits = { connectMs: 1000, tlsMs: 2000, firstByteMs: 3000, idleMs: 4000, wholeMs: 5000 };
const connecting: Progress = {
  target: 'service.test:443',
  origin: 'https://service.test',
  securing: false,
  handed: false,
  answered: false,
  limits,
};
const securing = { ...connecting, securing: true };
const sent = { ...connecting, handed: true };
const answered = { ...sent, answered: true };
const atProxy = { ...connecting, proxy: 'proxy.test:3128' };

const withCode = (code: string): Error => Object.assign(new Error('text that is not looked at'), { code });

const cases: readonly [code: string, progress: Progress, kind: Kind, ours: Code, message: RegExp][] = [
  ['ENOTFOUND', connecting, 'no-answer', 'dns', /host name of service\.test:443 was not found/],
  ['EAI_AGAIN', connecting, 'no-answer', 'dns', /not found/],
  ['ECONNREFUSED', connecting, 'no-answer', 'connect-refused', /service\.test:443 refused/],
  ['ECONNREFUSED', atProxy, 'no-answer', 'connect-refused', /the proxy proxy\.test:3128 refused/],
  ['ENOTFOUND', atProxy, 'no-answer', 'dns', /proxy\.test:3128/],
  ['EHOSTUNREACH', connecting, 'no-answer', 'unreachable', /no route to service\.test/],
  ['ENETUNREACH', connecting, 'no-answer', 'unreachable', /no route/],
  ['ETIMEDOUT', connecting, 'no-answer', 'connect-timeout', /no connection to service\.test/],
  ['ECONNRESET', connecting, 'no-answer', 'reset', /before the request was sent/],
  ['ECONNRESET', sent, 'no-answer', 'reset', /without an answer/],
  ['EPIPE', sent, 'no-answer', 'reset', /without an answer/],
  ['ECONNRESET', atProxy, 'no-answer', 'proxy', /proxy proxy\.test:3128 closed/],
  ['ECONNRESET', answered, 'bad-answer', 'truncated', /truncated/],
  ['HPE_INVALID_CHUNK_SIZE', answered, 'bad-answer', 'truncated', /truncated or damaged/],
  ['HPE_INVALID_CONSTANT', sent, 'bad-answer', 'not-http', /did not answer in HTTP$/],
  ['HPE_HEADER_OVERFLOW', sent, 'bad-answer', 'limit', /headers .* too long/],
  ['CERT_HAS_EXPIRED', connecting, 'no-answer', 'certificate', /expired/],
  ['CERT_NOT_YET_VALID', connecting, 'no-answer', 'certificate', /not valid yet/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', connecting, 'no-answer', 'certificate', /another host/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', connecting, 'no-answer', 'certificate', /self-signed/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', connecting, 'no-answer', 'certificate', /authority is unknown/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', connecting, 'no-answer', 'tls', /TLS with service\.test:443 failed/],
  ['ECONNRESET', securing, 'no-answer', 'tls', /TLS with service\.test:443 failed \(it closed the connection\)/],
  ['EPROTO', connecting, 'no-answer', 'tls', /TLS with service\.test:443 failed \(EPROTO\)/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', sent, 'profile', 'client-certificate', /client certificate/],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', sent, 'profile', 'client-certificate', /client certificate/],
  ['ERR_OSSL_BAD_DECRYPT', connecting, 'profile', 'client-certificate', /passphrase/],
  ['ESOMETHING', connecting, 'no-answer', 'network', /failed \(ESOMETHING\)/],
];

/** An error of OpenSSL in a handshake, as Node gives it: a code that says nothing, and a line of OpenSSL in the message. */
const openSsl = (reason: string): Error =>
  Object.assign(
    new Error(`write EPROTO 80CC:error:0A000102:SSL routines:a_function:${reason}:../deps/openssl/ssl/a.c:1952:`),
    { code: 'EPROTO' },
  );

const handshakes: readonly [reason: string, code: Code, message: RegExp, advice: RegExp][] = [
  [
    'tlsv1 alert protocol version',
    'tls',
    /\(it does not support TLS 1\.2 or later: tlsv1 alert protocol version\)/,
    /TLS 1\.2/,
  ],
  ['unsupported protocol', 'tls', /\(it does not support TLS 1\.2 or later: unsupported protocol\)/, /TLS 1\.2/],
  ['unsafe legacy renegotiation disabled', 'tls', /no secure renegotiation \(RFC 5746\)/, /update its TLS/],
  ['sslv3 alert handshake failure', 'tls', /accepts no offered protocol or cipher/, /old ciphers/],
  ['dh key too small', 'tls', /its key is too weak: dh key too small/, /longer/],
  ['wrong version number', 'tls', /the answer is not TLS/, /http instead of https/],
  ['bad ecpoint', 'tls', /TLS with service\.test:443 failed \(bad ecpoint\)/, /http instead of https/],
  ['tlsv13 alert certificate required', 'client-certificate', /requires a valid client certificate/, /clientCertFile/],
];

/** An error of Node's parser of HTTP. */
const parsing = (code: string, reason: string): Error =>
  Object.assign(new Error(`Parse Error: ${reason}`), { code, reason });

describe('Errors of the transport', () => {
  for (const [code, progress, kind, ours, message] of cases) {
    const stage = progress.answered
      ? 'answered'
      : progress.handed
        ? 'sent'
        : progress.securing
          ? 'securing'
          : 'connecting';
    it(`${code} while ${stage}${progress.proxy === undefined ? '' : ' to the proxy'} is ${kind} with code ${ours}`, () => {
      const error = transportError(withCode(code), progress);
      assert.equal(error.kind, kind);
      assert.equal(error.facts.code, ours);
      assert.equal(error.facts.url, 'https://service.test');
      assert.match(error.message, message);
      assert.equal(error.facts.unsent, progress.handed ? undefined : true);
    });
  }

  for (const [reason, ours, message, advice] of handshakes) {
    it(`gives the reason of OpenSSL, and what it means: ${reason}`, () => {
      const error = transportError(
        Object.assign(new Error('outer', { cause: openSsl(reason) }), { code: 'EPROTO' }),
        securing,
      );
      assert.equal(error.facts.code, ours);
      assert.match(error.message, message);
      assert.match(error.advice ?? '', advice);
    });
  }

  it('says what OpenSSL minded in a certificate when Node has no code for it', () => {
    const weak = Object.assign(new Error('EE certificate key too weak'), { code: 'UNSPECIFIED' });
    const error = transportError(weak, securing);
    assert.deepEqual(
      [error.facts.code, error.message],
      [
        'certificate',
        'the certificate of service.test:443 is not accepted: it cannot be checked (EE certificate key too weak)',
      ],
    );
    assert.equal(transportError(weak, sent).facts.code, 'network');
  });

  it('says what the parser of HTTP minded, and which setting may forgive it', () => {
    const folded = parsing('HPE_INVALID_HEADER_TOKEN', 'Unexpected whitespace after header value');
    const strict = transportError(folded, sent);
    assert.equal(
      strict.message,
      'service.test:443 did not answer in valid HTTP: Unexpected whitespace after header value',
    );
    assert.match(strict.advice ?? '', /--set insecureHTTPParser=yes reads some/);
    assert.match(transportError(folded, { ...sent, isLenient: true }).advice ?? '', /Even/);
    const twice = transportError(parsing('HPE_UNEXPECTED_CONTENT_LENGTH', 'Duplicate Content-Length'), sent);
    assert.match(twice.message, /: Duplicate Content-Length$/);
    assert.equal(twice.advice, undefined);
    // The body only broke off: what was minded was said of its request.
    const minded = parsing('HPE_INVALID_CHUNK_SIZE', 'Invalid character in chunk size');
    const body = transportError(withCode('ECONNRESET'), { ...answered, minded });
    assert.equal(body.facts.code, 'truncated');
    assert.match(body.message, /was truncated or damaged: Invalid character in chunk size$/);
    assert.match(body.advice ?? '', /insecureHTTPParser/);
  });

  it('finds the code of the innermost cause', () => {
    const outer = Object.assign(new Error('outer', { cause: withCode('ENOTFOUND') }), { code: 'ERR_NETWORK' });
    assert.equal(transportError(outer, connecting).facts.code, 'dns');
  });

  it('has words for what is no error at all', () => {
    for (const thrown of [undefined, null, 'text', 7, {}, { code: 20 }])
      assert.match(transportError(thrown, connecting).message, /no reason given/);
  });

  it('names phase, seconds and a way out of each time-out', () => {
    const phases = ['connect', 'tls', 'first-byte', 'idle', 'whole'] as const;
    phases.forEach((phase, index) => {
      const error = timeoutError(phase, sent);
      assert.equal(error.kind, 'no-answer');
      assert.equal(error.facts.code, `timeout-${phase}`);
      assert.match(error.message, new RegExp(`${index + 1} s`));
      assert.match(error.advice ?? '', phase === 'connect' || phase === 'tls' ? /base URL/ : /--timeout/);
    });
    assert.match(timeoutError('connect', atProxy).message, /the proxy proxy\.test:3128/);
  });

  it('tells a proxy that wants a login from one that refuses', () => {
    const asked = { status: 407, host: 'proxy.test:3128', isLoginSent: false };
    assert.equal(proxyError(asked, atProxy).kind, 'profile');
    const refused = proxyError({ ...asked, status: 403 }, atProxy);
    assert.equal(refused.kind, 'no-answer');
    assert.match(refused.message, /proxy\.test:3128 refused the connection \(403\)/);
  });

  it('names the schemes of a proxy that relctl does not speak, and the way round', () => {
    const asked = { status: 407, host: 'proxy.test:3128', isLoginSent: false };
    const none = proxyError({ ...asked, challenges: 'Negotiate, NTLM' }, atProxy);
    assert.deepEqual(none.facts.schemes, ['Negotiate', 'NTLM']);
    assert.match(
      none.advice ?? '',
      /^It offers Negotiate and NTLM, and relctl supports only Basic\. Start a local proxy/,
    );
    const either = proxyError({ ...asked, challenges: 'NTLM, Basic realm="a, Digest"' }, atProxy);
    assert.match(either.message, /wants a login \(407\)/);
    assert.match(either.advice ?? '', /^Put the user name and password into the proxy setting/);
    const sentOne = proxyError({ ...asked, challenges: 'Basic', isLoginSent: true }, atProxy);
    assert.match(sentOne.message, /does not accept the user name and password of the proxy setting/);
  });

  it('calls another protocol no answer in HTTP', () => {
    assert.equal(upgradeError(sent).facts.code, 'not-http');
    assert.equal(upgradeError(sent).kind, 'bad-answer');
  });

  it("carries nothing of the library's error, which holds the request", () => {
    // The library demands its own class for headers, of which nothing is looked at here.
    const config = { data: '<Password>sesame-open</Password>' } as InternalAxiosRequestConfig;
    const theirs = new AxiosError('sesame-open', 'ECONNRESET', config, { body: 'sesame-open' });
    for (const progress of [connecting, sent, answered]) {
      const error = transportError(theirs, progress);
      assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /sesame/);
      assert.equal(error.cause, undefined);
    }
  });
});
