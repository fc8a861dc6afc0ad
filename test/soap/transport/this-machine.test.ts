import assert from 'node:assert/strict';
import type { LookupOptions } from 'node:dns';
import { isThisMachine, lookupHere, looksLikeThisMachine } from '../../../src/soap/transport/this-machine.js';
import { bypassesProxy } from '../../../src/soap/transport/agents.js';

const hostOf = (authority: string): string => new URL(`http://${authority}/`).hostname;

const here = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'foo.localhost', 'a.b.LocalHost.', 'localhost:8080'],
  ...['127.0.0.1', '127.255.0.9', '127.0.0.1.', '127.1', '127.0.1', '0x7f.1', '0X7F.0.0.1', '0x7f000001'],
  ...['2130706433', '017700000001', '0177.0.0.1', '127.0.0.1:8080', '\uff11\uff12\uff17.0.0.1', '127\u30020.0.1'],
  ...['0.0.0.0', '0', '0x0', '0.0'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000::0001]', '[::0.0.0.1]', '[::1]:8080', '[::]', '[0:0:0:0:0:0:0:0]'],
  ...['[::ffff:127.0.0.1]', '[::FFFF:7f00:1]', '[::ffff:127.9.8.7]', '[0:0:0:0:0:ffff:7fff:ffff]', '[::ffff:0.0.0.0]'],
];

const lookalikes = [
  ...['localhost.evil.test', 'localhost.localdomain', 'LOCALHOST.evil.test', 'api.localhost.evil.test'],
  ...['127.evil.test', '127.0.0.1.nip.test', '127.0.0.1.nip.test.', '127.0.0.1.localhost.test'],
];

const elsewhere = [
  ...['service.test', 'mylocalhost', 'localhost-a.test', 'xlocalhost.test', 'notlocalhost', '1127.test', 'a.127.test'],
  ...['10.0.0.1', '128.0.0.1', '126.255.255.255', '1.127.0.0', '0.0.0.1', '1', '2130706432.test'],
  ...['[::2]', '[::ffff:10.0.0.1]', '[::ffff:128.0.0.1]', '[::ffff:126.0.0.1]', '[::ffff:7f:1]', '[::ffff:0.0.0.1]'],
  ...['[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[fe80::1]', '[1::1]', '[1::]', '[::1:0]', '[7f00::1]'],
];

describe('This machine', () => {
  for (const text of here)
    it(`is ${text}, which no proxy is asked for`, () => {
      assert.deepEqual([isThisMachine(hostOf(text)), looksLikeThisMachine(hostOf(text))], [true, false]);
      assert.ok(bypassesProxy(new URL(`https://${text}/`), ''));
    });

  for (const text of [...lookalikes, ...elsewhere])
    it(`is not ${text}, which the proxy is asked for`, () => {
      assert.equal(isThisMachine(hostOf(text)), false);
      assert.ok(!bypassesProxy(new URL(`https://${text}/`), ''));
    });

  it('is what some other names look like', () => {
    assert.deepEqual(
      lookalikes.filter((text) => !looksLikeThisMachine(hostOf(text))),
      [],
    );
    assert.deepEqual(
      elsewhere.filter((text) => looksLikeThisMachine(hostOf(text))),
      [],
    );
  });

  it('is found by its names without asking a name server, and no other host is', () => {
    const found = (text: string, options: LookupOptions): unknown => {
      let answer: unknown;
      lookupHere(hostOf(text))?.('', options, (...given) => (answer = given.slice(1)));
      return answer;
    };
    const [four, six] = [{ address: '127.0.0.1', family: 4 } as const, { address: '::1', family: 6 } as const];
    for (const text of ['localhost', 'LOCALHOST.', 'sub.localhost', 'a.b.LocalHost.']) {
      assert.deepEqual(found(text, { all: true }), [[four, six]]);
      assert.deepEqual(found(text, {}), ['127.0.0.1', 4]);
      assert.deepEqual(found(text, { family: 6 }), ['::1', 6]);
    }
    for (const text of [...lookalikes, ...elsewhere]) assert.equal(lookupHere(hostOf(text)), undefined);
  });

  it('is every address of 127.0.0.0/8, in IPv6 too, and no other', () => {
    for (let first = 0; first < 256; first += 1) {
      const address = `${first}.255.0.${first}`;
      assert.deepEqual(
        [address, `[::ffff:${address}]`].map((each) => isThisMachine(hostOf(each))),
        [first === 127, first === 127],
      );
    }
  });
});
