import assert from 'node:assert/strict';
import type { Kind } from '../../../src/core/errors/kinds.js';
import { notSoap } from '../../../src/soap/wire/not-soap.js';

const page = (title: string): string => `<!DOCTYPE html>\r\n<html><head><title>\r\n ${title} </title></head></html>`;

const cases: readonly [title: string, status: number, head: string, kind: Kind, code: string, message: RegExp][] = [
  ['a page with a good status', 200, page('Log in'), 'bad-answer', 'not-soap', /HTML page titled 'Log in' instead/],
  ['nothing with a good status', 200, '', 'bad-answer', 'empty', /an empty answer/],
  ['white space with a good status', 200, ' \r\n', 'bad-answer', 'empty', /an empty answer/],
  ['no content', 204, '', 'bad-answer', 'empty', /an empty answer/],
  ['JSON', 200, '{"error":1}', 'bad-answer', 'not-soap', /begins '\{"error":1\}'/],
  ['a bad request', 400, page('Bad Request'), 'no-answer', 'http-400', /HTTP 400 without SOAP/],
  ['a login in front', 401, page('Unauthorized'), 'profile', 'http-401', /web server, not the service.*401/],
  ['a wall in front', 403, page('Forbidden'), 'profile', 'http-403', /403/],
  ['a wrong address', 404, page('Not Found'), 'no-answer', 'http-404', /HTTP 404.*'Not Found'/],
  ['too much at once', 413, '', 'no-answer', 'http-413', /HTTP 413/],
  ['a broken service', 500, page('Runtime Error'), 'no-answer', 'http-500', /HTTP 500.*'Runtime Error'/],
  ['a gateway', 502, 'Bad gateway', 'no-answer', 'http-502', /begins 'Bad gateway'/],
];

describe('An answer that is not SOAP', () => {
  for (const [title, status, head, kind, code, message] of cases) {
    it(`${title} (${status}) is ${kind} with code ${code}`, () => {
      const error = notSoap({ status, headers: {}, head });
      assert.equal(error.kind, kind);
      assert.equal(error.facts.code, code);
      assert.equal(error.facts.httpStatus, status);
      assert.match(error.message, message);
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`a redirect (${status}) names the new place, without its path and query`, () => {
      const error = notSoap({ status, headers: { location: 'https://new.test/x?session=sesame' }, head: '' });
      assert.equal(error.kind, 'no-answer');
      assert.equal(error.facts.code, 'redirect');
      assert.match(error.message, /redirects to https:\/\/new\.test;/);
      assert.doesNotMatch(error.message, /sesame/);
      assert.match(error.advice ?? '', /--base-url/);
    });
  }

  it('a redirect within the host, or to nowhere, has words as well', () => {
    assert.match(notSoap({ status: 302, headers: { location: '/v2/' }, head: '' }).message, /redirects to \/v2\/;/);
    assert.match(notSoap({ status: 302, headers: {}, head: '' }).message, /an unnamed address/);
  });

  const places: readonly [location: string, words: RegExp, fact: string][] = [
    ['/x.aspx?token=sesame', /redirects to \/x\.aspx;/, '/x.aspx'],
    ['//other.test/x?token=sesame#sesame', /redirects to http:\/\/other\.test;/, 'http://other.test/x'],
    ['https://ann:sesame@other.test/x', /redirects to https:\/\/other\.test;/, 'https://other.test/x'],
    ['/login.aspx?ReturnUrl=%2fV1%2fservice.asmx', /redirects to a login page, \/login\.aspx;/, '/login.aspx'],
    [
      'https://sso.test/adfs/ls?wa=sesame',
      /redirects to a login page, https:\/\/sso\.test;/,
      'https://sso.test/adfs/ls',
    ],
  ];
  for (const [location, words, fact] of places) {
    it(`never shows the query of a redirect, and names a page where people log in: ${location}`, () => {
      const error = notSoap({ status: 302, headers: { location }, head: '' });
      assert.match(error.message, words);
      assert.equal(error.facts.location, fact);
      assert.doesNotMatch(JSON.stringify([error.message, error.facts, error.advice]), /sesame|ReturnUrl/);
      assert.equal(/login page/.test(error.message), /^That is a login page/.test(error.advice ?? ''));
    });
  }

  it('names the schemes that are offered, each once', () => {
    const headers = {
      'www-authenticate':
        'Negotiate, NTLM, Digest realm="a, Basic", nonce="x\\"y, Bearer ", qop=auth, NTLM TlRM=, Basic realm="b"',
    };
    assert.deepEqual(notSoap({ status: 401, headers, head: '' }).facts.schemes, [
      'Negotiate',
      'NTLM',
      'Digest',
      'Basic',
    ]);
    const proxy = notSoap({ status: 407, headers: { 'proxy-authenticate': 'Negotiate' }, head: '' });
    assert.deepEqual([proxy.kind, proxy.facts.schemes], ['no-answer', ['Negotiate']]);
    assert.match(proxy.advice ?? '', /A proxy that is not in the profile/);
  });

  const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
  const waits: readonly [text: string, date: string | undefined, seconds: number | undefined][] = [
    ['2', undefined, 2],
    ['7200', undefined, 7200],
    ['Wed, 21 Oct 2026 07:28:30 GMT', date, 30],
    ['Wed, 21 Oct 2026 07:27:00 GMT', date, 0],
    ['Wed, 21 Oct 2026 07:28:30 GMT', undefined, undefined],
    ['soon', date, undefined],
    ['-1', undefined, undefined],
    ['99999999999', undefined, undefined],
  ];
  for (const [text, now, seconds] of waits) {
    it(`Retry-After '${text}'${now === undefined ? '' : ' with a Date'} is ${seconds ?? 'no number of'} seconds`, () => {
      const headers = { 'retry-after': text, ...(now === undefined ? {} : { date: now }) };
      assert.equal(notSoap({ status: 503, headers, head: '' }).facts.retryAfterSeconds, seconds);
    });
  }

  it('a MIME message is named, and not shown', () => {
    const headers = { 'content-type': 'multipart/related; type="application/xop+xml"; boundary=b1' };
    const { kind, message, advice } = notSoap({ status: 200, headers, head: '--b1\r\nContent-ID: <root>\r\n' });
    assert.equal(kind, 'bad-answer');
    assert.equal(message, 'a MIME multipart answer (MTOM, or SOAP with attachments) instead of SOAP');
    assert.match(advice ?? '', /relctl does not read MIME messages/);
  });

  it('shows nothing that would act on a terminal', () => {
    const error = notSoap({ status: 500, headers: {}, head: '<title>\u001b]0;x\u0007\u009b2J\u202e</title>' });

    assert.doesNotMatch(error.message, /[\u0000-\u001f\u007f-\u009f\u202e]/);
  });

  it('is cut short in messages', () => {
    const error = notSoap({ status: 500, headers: {}, head: 'x'.repeat(4096) });
    assert.ok(error.message.length < 300, `${error.message.length} characters`);
  });

  it('names the realm of a login', () => {
    const headers = { 'www-authenticate': 'Basic realm="Intranet", charset="UTF-8"' };
    assert.match(notSoap({ status: 401, headers, head: '' }).message, /for 'Intranet'/);
  });
});
