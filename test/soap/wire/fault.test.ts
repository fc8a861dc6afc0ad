import assert from 'node:assert/strict';
import fc from 'fast-check';
import { faultElement, readFault, type Fault } from '../../../src/soap/wire/fault.js';
import { RawReader } from '../../../src/soap/wire/raw.js';
import { createMask } from '../../../src/core/secrets/mask.js';
import { XmlReader } from '../../../src/xml/reader.js';
import { received } from '../../support/soap/arbitraries.js';
import { bytesOf } from '../../support/soap/exchange.js';

const soap = { '1.1': 'http://schemas.xmlsoap.org/soap/envelope/', '1.2': 'http://www.w3.org/2003/05/soap-envelope' };

function read(fault: string, version: '1.1' | '1.2' = '1.1', mask?: (text: string) => string): Fault {
  let root: RawReader | undefined;
  const reader = new XmlReader({
    open: (name, attributes) => {
      if (root === undefined) root = new RawReader(name);
      else root.open(name, attributes);
    },
    text: (text) => root?.text(text),
    close: () => root?.close(),
  });
  reader.write(bytesOf(fault.replace('<soap:Fault', `<soap:Fault xmlns:soap="${soap[version]}"`)));
  reader.end();
  assert.ok(root);
  return readFault(root.root, mask);
}

describe('a fault in SOAP 1.1', () => {
  it('gives code, message, actor and detail', () => {
    const fault =
      '<soap:Fault><faultcode>soap:Client</faultcode><faultstring xml:lang="en"> Bad &amp; wrong </faultstring><faultactor>http://a</faultactor><detail><e xmlns="u"><code>7</code> <text>why</text></e></detail></soap:Fault>';
    const detail = { e: { code: '7', text: 'why' } };
    assert.deepEqual(read(fault), { code: 'Client', message: 'Bad & wrong', actor: 'http://a', detail });
  });

  it('keeps its code and its message, and of its detail no more than is shown, however much there is', () => {
    const fault = (detail: string): string =>
      `<soap:Fault><faultcode>soap:Server</faultcode><faultstring>No</faultstring><detail>${detail}</detail></soap:Fault>`;
    const names = Array.from({ length: 64 }, (_, at) => `b${at}="x"`).join(' ');
    const details = ['<a/>'.repeat(200_000), '<a b="x"/>'.repeat(200_000), 'x'.repeat(4_000_000)];
    for (const detail of [...details, `<a ${names}/>`.repeat(20_000)]) {
      const { code, message, detail: kept } = read(fault(detail));
      assert.deepEqual([code, message], ['Server', 'No']);
      assert.ok(JSON.stringify(kept).length < 200_000);
      assert.ok(JSON.stringify(kept).includes('…'));
    }
  });

  it('shows no half of a secret where what is kept of it ends', () => {
    const secret = 'k3y-0f-the-service';
    for (const length of [8, 12, 16]) {
      const detail = 'x'.repeat(1024 * 1024 - 'soap:Server'.length - length);
      const fault = `<soap:Fault><detail>${detail}</detail><faultcode>soap:Server</faultcode><faultstring>${secret}</faultstring></soap:Fault>`;
      const { message } = read(fault);
      assert.equal(createMask([secret])(message), '********…');
    }
  });

  it('keeps the tree of its detail: names, attributes, text beside elements, and several of a name', () => {
    const fault =
      '<soap:Fault><faultcode>soap:Server</faultcode><faultstring>No</faultstring><detail><Errors xmlns="u" count="2"> Two: <Error field="Name">empty</Error><Error field="Code"/></Errors></detail></soap:Fault>';
    assert.deepEqual(read(fault).detail, {
      Errors: {
        '@count': '2',
        '#text': 'Two:',
        Error: [{ '@field': 'Name', '#text': 'empty' }, { '@field': 'Code' }],
      },
    });
  });

  it('cuts a detail that is long, hides secrets before it does, and says so', () => {
    const fault = `<soap:Fault><faultcode>soap:Server</faultcode><detail><a>${'x'.repeat(16_380)}secret</a><b>1</b><c/></detail></soap:Fault>`;
    const detail = read(fault, '1.1', (text) => text.replace('secret', '***')).detail;
    assert.deepEqual(detail, { a: `${'x'.repeat(16_380)}***`, '…': '2 more elements' });
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
      faultElement('1.1', {
        code: 'Client',
        subcode: { name: 'Busy', namespace: 'urn:a&b' },
        message: '',
        detail: 'x',
      }),
      '<soap:Fault><faultcode xmlns:q0="urn:a&amp;b">q0:Busy</faultcode><faultstring /><detail>x</detail></soap:Fault>',
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
    const dotNet =
      '<soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="en">No.</soap:Text></soap:Reason><detail><Error xmlns="" code="7">why</Error></detail></soap:Fault>';
    const detail = { Error: { '@code': '7', '#text': 'why' } };
    assert.deepEqual(read(dotNet, '1.2').detail, detail);
    assert.deepEqual(read(dotNet.replace('<detail>', '<soap:Detail/><detail>'), '1.2').detail, detail);
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
    assert.equal(
      faultElement('1.2', { code: 'Client', subcode: { name: 'Busy', namespace: 'urn:a&b' }, message: 'x' }),
      '<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value><soap:Subcode><soap:Value xmlns:q0="urn:a&amp;b">q0:Busy</soap:Value>' +
        '</soap:Subcode></soap:Code><soap:Reason><soap:Text xml:lang="en">x</soap:Text></soap:Reason><soap:Detail /></soap:Fault>',
    );
  });
});

describe('a fault that is written and read', () => {
  it('is the same in both versions, but that SOAP 1.1 has no room for two codes', () => {
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
            ...(subcode === undefined ? {} : { subcode: { name: subcode, namespace: 'urn:own' } }),
            ...(detail === undefined ? {} : { detail }),
          });
          assert.deepEqual(read(written, version), {
            code: subcode === undefined ? code : version === '1.1' ? subcode : `${code}.${subcode}`,
            message,
            ...(detail === undefined || detail === '' ? {} : { detail }),
          });
        },
      ),
    );
  });
});
