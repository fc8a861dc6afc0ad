import assert from 'node:assert/strict';
import { refusal } from '../../../src/sandbox/http/access.js';

const name = (host: string): string => `The sandbox does not answer under the name "${host}".`;
const origins = 'The sandbox does not answer other origins.';
const sites = 'The sandbox does not answer other sites.';
const machine = 'The sandbox answers this machine only.';

describe('Who may ask the sandbox', () => {
  const hosts: readonly (readonly [host: string | undefined, refused: string | undefined])[] = [
    ['127.0.0.1:8080', undefined],
    ['localhost:8080', undefined],
    ['LOCALHOST:8080', undefined],
    ['[::1]:8080', undefined],
    ['localhost', undefined],
    ['[::1]', undefined],
    ['localhost:80', undefined],
    ['127.0.0.1:65535', undefined],
    ['localhost:', name('localhost:')],
    ['localhost:123456', name('localhost:123456')],
    ['localhost:80:80', name('localhost:80:80')],
    ['localhost,evil.example', name('localhost,evil.example')],
    ['localhost.:8080', name('localhost.:8080')],
    ['127.0.0.2:8080', name('127.0.0.2:8080')],
    ['localhost:8080.evil.example', name('localhost:8080.evil.example')],
    ['evil.example:8080', name('evil.example:8080')],
    ['rebind.localhost:8080', name('rebind.localhost:8080')],
    ['user@localhost:8080', name('user@localhost:8080')],
    ['0.0.0.0:8080', name('0.0.0.0:8080')],
    ['2130706433:8080', name('2130706433:8080')],
    ['', name('')],
    [undefined, name('')],
  ];
  for (const [host, refused] of hosts) {
    it(`by the Host ${host ?? 'left out'}: ${refused === undefined ? 'yes' : 'no'}`, () => {
      const headers = host === undefined ? {} : { host };
      assert.equal(refusal({ peer: '127.0.0.1', method: 'POST', headers }), refused);
    });
  }

  const pages: readonly (readonly [origin: string, refused: string | undefined])[] = [
    ['http://127.0.0.1:8080', undefined],
    ['HTTP://127.0.0.1:8080', undefined],
    ['https://127.0.0.1:8080', origins],
    ['http://localhost:8080', origins],
    ['http://127.0.0.1:8081', origins],
    ['http://evil.example', origins],
    ['null', origins],
    ['', origins],
  ];
  for (const [origin, refused] of pages) {
    it(`from a page of Origin ${origin === '' ? '(empty)' : origin}: ${refused === undefined ? 'yes' : 'no'}`, () => {
      const headers = { host: '127.0.0.1:8080', origin };
      assert.equal(refusal({ peer: '127.0.0.1', method: 'POST', headers }), refused);
    });
  }

  const fetched: readonly (readonly [method: string, site: string, refused: string | undefined])[] = [
    ['POST', 'same-origin', undefined],
    ['POST', 'none', undefined],
    ['POST', 'same-site', sites],
    ['POST', 'cross-site', sites],
    ['GET', 'cross-site', undefined],
  ];
  for (const [method, site, refused] of fetched) {
    it(`by ${method} that a browser calls ${site}: ${refused === undefined ? 'yes' : 'no'}`, () => {
      const headers = { host: 'localhost:8080', 'sec-fetch-site': site };
      assert.equal(refusal({ peer: '::1', method, headers }), refused);
    });
  }

  const peers: readonly (readonly [peer: string | undefined, refused: string | undefined])[] = [
    ['127.0.0.1', undefined],
    ['127.1.2.3', undefined],
    ['::1', undefined],
    ['::ffff:127.0.0.1', undefined],
    ['192.168.1.10', machine],
    ['::ffff:192.168.1.10', machine],
    ['1127.0.0.1', machine],
    ['::', machine],
    [undefined, machine],
  ];
  for (const [peer, refused] of peers) {
    it(`from the address ${peer ?? 'of nobody'}: ${refused === undefined ? 'yes' : 'no'}`, () => {
      assert.equal(refusal({ peer, method: 'POST', headers: { host: 'localhost:8080' } }), refused);
    });
  }

  for (const header of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']) {
    it(`for somebody else by ${header}: no`, () => {
      const headers = { host: 'localhost:8080', [header]: '127.0.0.1' };
      assert.equal(
        refusal({ peer: '127.0.0.1', method: 'GET', headers }),
        `The sandbox answers this machine only; the header ${header} speaks for another.`,
      );
    });
  }
});
