import assert from 'node:assert/strict';
import fc from 'fast-check';
import { faultElement, readFault, type Fault } from '../../src/soap/fault.js';
import { RawReader } from '../../src/soap/raw.js';
import { createXmlReader } from '../../src/xml/reader.js';
import { received } from './arbitraries.js';
import { bytesOf } from './exchange.js';

const soap = { '1.1': 'http://schemas.xmlsoap.org/soap/envelope/', '1.2': 'http://www.w3.org/2003/05/soap-envelope' };

function read(fault: string, version: '1.1' | '1.2' = '1.1'): Fault {
  let root: RawReader | undefined;
  const reader = createXmlReader({
    open: (name) => {
      if (root === undefined) root = new RawReader(name);
      else root.open(name);
    },
    text: (text) => root?.text(text),
    close: () => root?.close(),
  });
  reader.write(bytesOf(fault.replace('<soap:Fault', `<soap:Fault xmlns:soap="${soap[version]}"`)));
  reader.end();
  assert.ok(root);
  return readFault(root.root);
}

describe('a fault in SOAP 1.1', () => {
  it('gives code, message, actor and detail', () => {
    const fault =
      '<soap:Fault><faultcode>soap:Client</faultcode><faultstring xml:lang="en"> Bad &amp; wrong </faultstring><faultactor>http://a</faultactor><detail><e xmlns="u"><code>7</code> <text>why</text></e></detail></soap:Fault>';
    assert.deepEqual(read(fault), { code: 'Client', message: 'Bad & wrong', actor: 'http://a', detail: '7 why' });
  });

  it('needs none of them', () => {
    assert.deepEqual(read('<soap:Fault/>'), { code: '', message: '' });
    assert.deepEqual(read('<soap:Fault><faultcode>Server</faultcode><faultstring/><detail/></soap:Fault>'), {
      code: 'Server',
      message: '',
    });
  });

  it('keeps finer codes behind the code', () => {
    assert.equal(
      read('<soap:Fault><faultcode>soap:Client.InvalidCredentials</faultcode></soap:Fault>').code,
      'Client.InvalidCredentials',
    );
    assert.equal(read('<soap:Fault><faultcode xmlns:a="u">a:MyOwn</faultcode></soap:Fault>').code, 'MyOwn');
  });

  it('is written as .NET services write it', () => {
    assert.equal(
      faultElement('1.1', { code: 'Client', message: 'a < b' }),
      '<soap:Fault><faultcode>soap:Client</faultcode><faultstring>a &lt; b</faultstring><detail /></soap:Fault>',
    );
    assert.equal(
      faultElement('1.1', { code: 'Client', subcode: 'InvalidCredentials', message: '', detail: 'x' }),
      '<soap:Fault><faultcode>soap:Client.InvalidCredentials</faultcode><faultstring /><detail>x</detail></soap:Fault>',
    );
  });
});

describe('a fault in SOAP 1.2', () => {
  it('gives the code in the words of 1.1, with subcodes behind it', () => {
    const fault =
      '<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value xmlns:a="u">a:InvalidCredentials</soap:Value><soap:Subcode><soap:Value>Expired</soap:Value></soap:Subcode></soap:Subcode></soap:Code><soap:Reason><soap:Text xml:lang="en">No.</soap:Text><soap:Text xml:lang="nl">Nee.</soap:Text></soap:Reason><soap:Node>http://n</soap:Node><soap:Role>http://r</soap:Role><soap:Detail>why</soap:Detail></soap:Fault>';
    assert.deepEqual(read(fault, '1.2'), {
      code: 'Client.InvalidCredentials.Expired',
      message: 'No.',
      actor: 'http://n',
      detail: 'why',
    });
    assert.equal(
      read('<soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code></soap:Fault>', '1.2').code,
      'Server',
    );
  });

  it('is written as .NET services write it', () => {
    assert.equal(
      faultElement('1.2', { code: 'Server', message: 'a & b' }),
      '<soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">a &amp; b</soap:Text></soap:Reason><soap:Detail /></soap:Fault>',
    );
  });
});

describe('a fault that is written and read', () => {
  it('is the same in both versions', () => {
    const content = fc.record({
      code: fc.constantFrom(
        'Client' as const,
        'Server' as const,
        'MustUnderstand' as const,
        'VersionMismatch' as const,
      ),
      subcode: fc.option(fc.constantFrom('InvalidCredentials', 'Busy'), { nil: undefined }),
      message: received.map((text) => text.trim()),
      detail: fc.option(
        received.map((text) => text.trim()),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(
        content,
        fc.constantFrom('1.1' as const, '1.2' as const),
        ({ code, subcode, message, detail }, version) => {
          const written = faultElement(version, {
            code,
            message,
            ...(subcode === undefined ? {} : { subcode }),
            ...(detail === undefined ? {} : { detail }),
          });
          assert.deepEqual(read(written, version), {
            code: subcode === undefined ? code : `${code}.${subcode}`,
            message,
            ...(detail === undefined || detail === '' ? {} : { detail }),
          });
        },
      ),
    );
  });
});
