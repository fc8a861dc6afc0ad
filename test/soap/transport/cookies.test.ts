import assert from 'node:assert/strict';
import { CookieJar } from '../../../src/soap/transport/cookies.js';

const page = new URL('https://crm.example/V1/service.asmx');
const date = 'Wed, 21 Oct 2026 07:28:00 GMT';

/** What goes back to an address after answers of the page that set these. */
function sent(lines: readonly string[], to = page, from = page): string | undefined {
  const jar = new CookieJar();
  jar.store(lines, from, date);
  return jar.headerFor(to);
}

const cases: readonly [title: string, lines: readonly string[], header: string | undefined][] = [
  ['a name and a value', ['ARRAffinity=abc; HttpOnly; Path=/; SameSite=None; Secure'], 'ARRAffinity=abc'],
  ['several, the last one of a name', ['a=1', 'b=2', 'a=3'], 'a=3; b=2'],
  ['white space around, = and quotes within', [' a = x=y== ; path=/', 'q="7"'], 'q="7"; a=x=y=='],
  ['an empty value', ['a='], 'a='],
  ['none without a name or a =', ['=x', 'x', ''], undefined],
  ['none with a control character', ['a=x\u0007', 'b=\u00e9'], 'b=\u00e9'],
  ['none that are longer than browsers take', [`a=${'x'.repeat(4096)}`, `b=${'x'.repeat(10)}`], 'b=xxxxxxxxxx'],
  [
    'those of the path of the page, and of paths above it',
    ['a=1; Path=/V1', 'b=2; Path=/V1/', 'c=3; Path=/'],
    'b=2; a=1; c=3',
  ],
  ['none of another path', ['a=1; Path=/V2', 'b=2; Path=/V', 'c=3; Path=/V1/service.asmx/x'], undefined],
  ['one whose path is none as that of the page', ['a=1; Path=x'], 'a=1'],
  ['those of the host and the domain above it', ['a=1; Domain=crm.example', 'b=2; Domain=.EXAMPLE'], 'a=1; b=2'],
  ['none of another domain', ['a=1; Domain=other.example', 'b=2; Domain=rm.example'], undefined],
  [
    'those that last',
    ['a=1; Max-Age=60', 'b=2; Expires=Wed, 21-Oct-2026 08:28:00 GMT', 'c=3; Expires=soon'],
    'a=1; b=2; c=3',
  ],
  [
    'none that are over',
    ['a=1; Max-Age=0', 'b=2; Expires=Wed, 21 Oct 2026 07:27:59 GMT', 'c=3; Max-Age=-1'],
    undefined,
  ],
  ['what Max-Age says before Expires', ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=9'], 'a=1'],
  ['none that are taken away', ['a=1', 'b=2', 'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'b=2'],
];

describe('The cookies of an origin', () => {
  for (const [title, lines, header] of cases) it(`are ${title}`, () => assert.equal(sent(lines), header));

  it('go to other pages by their path', () => {
    const lines = ['a=1', 'b=2; Path=/'];
    assert.equal(sent(lines, new URL('/V1', page)), 'a=1; b=2');
    assert.equal(sent(lines, new URL('/V10/x', page)), 'b=2');
    assert.equal(sent(['a=1'], new URL('/x', page), new URL('/y', page)), 'a=1');
  });

  it('are none that ask for TLS where there is none', () => {
    const plain = new URL('http://crm.example/V1/service.asmx');
    assert.equal(sent(['a=1; Secure', 'b=2'], plain, plain), 'b=2');
  });

  it('end by the clock of the service, and without one where they are taken away', () => {
    const jar = new CookieJar();
    jar.store(['a=1; Expires=Wed, 21 Oct 2020 07:28:00 GMT', 'b=2'], page, undefined);
    jar.store(['b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], page, undefined);
    assert.equal(jar.headerFor(page), 'a=1');
  });

  it('are fifty at most, of which each may change', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `c${at}=1`);
    const kept = sent([...lines, 'c0=2'])?.split('; ') ?? [];
    assert.deepEqual([kept.length, kept[0]], [50, 'c0=2']);
  });

  it('follow those that a profile sends by itself, without their names', () => {
    const jar = new CookieJar();
    assert.equal(jar.headerFor(page, 'x=own'), 'x=own');
    jar.store(['x=1', 'y=2'], page, date);
    assert.equal(jar.headerFor(page, 'x=own; z=3'), 'x=own; z=3; y=2');
  });
});
