import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Invented, maskRecording } from '../../../src/sandbox/recordings/mask.js';

const key = Buffer.alloc(32, 7);
const soap = 'http://www.w3.org/2003/05/soap-envelope';
const xsi = 'http://www.w3.org/2001/XMLSchema-instance';
const envelope = (body: string): string =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="${soap}"><s:Body>${body}</s:Body></s:Envelope>`;

describe('What is invented', () => {
  const invented = new Invented(key);
  const forms: readonly [text: string, form: RegExp][] = [
    ['Joëlle VEEN', /^[A-Z][a-z]{5} [A-Z]{4}$/],
    ['jan@veen.nl', /^[a-z]{3}@[a-z]{4}\.[a-z]{2}$/],
    ['+31 (0)6-12345678', /^\+[1-9]\d \(0\)[1-9]-1\d{7}$/],
    ['00012.50', /^000[1-9]\d\.[1-9]\d$/],
    ['2147483647', /^1\d{9}$/],
    ['1.5E-10', /^[1-9]\.[1-9]E-10$/],
    ['6F9619FF-8B86-D011-B42D-00C04FC964FF', /^[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}$/],
    ['2026-03-29T08:30:00+01:00', /^202[56]-\d\d-\d\dT08:30:00\+01:00$/],
  ];
  for (const [text, form] of forms)
    it(`has the form of ${text}, and is the same each time`, () => {
      const made = invented.textFor(text);
      assert.match(made, form);
      assert.notEqual(made, text);
      assert.equal(invented.textFor(text), made);
      assert.notEqual(new Invented(Buffer.alloc(32, 8)).textFor(text), made);
    });

  it('has no digits of a number that looks like a time or an exponent in part', () => {
    for (const [text, kept] of [
      ['0475-12-34-56', /12-34-56/],
      ['0475-12-23-56', /-56$/],
      ['0612-34-5678', /-34-/],
      ['9999-34-56', /9999|34|56/],
      ['0001-23-45', /23|45/],
      ['2026-13-45', /13|45/],
      ['2020-01-01T061234567', /61234567/],
      ['K1E98765432', /98765432/],
      ['12E345', /345/],
      ['NL1e23 B', /23/],
    ] as const)
      assert.equal(kept.test(invented.textFor(text)), text === '12E345', `${text}: ${invented.textFor(text)}`);
    assert.match(invented.textFor('2026-03-29Z'), /^202[56]-\d\d-\d\dZ$/);
    assert.match(invented.textFor('0001-02-03'), /^000[12]-\d\d-\d\d$/);
  });

  it('is the same for the same part of any text, in any case', () => {
    const [name = '', id = ''] = ['Veen', '6f9619ff-8b86-d011-b42d-00c04fc964ff'].map((text) => invented.textFor(text));
    assert.equal(
      invented.textFor('VEEN, 6F9619FF-8B86-D011-B42D-00C04FC964FF'),
      `${name.toUpperCase()}, ${id.toUpperCase()}`,
    );
  });

  it('keeps what stands for nothing', () => {
    for (const text of [
      '',
      ' ',
      '0',
      '0001-01-01T00:00:00',
      '9999-12-31',
      '00000000-0000-0000-0000-000000000000',
      '0.00',
    ])
      assert.equal(invented.textFor(text), text);
  });

  it('is a file of the same length for a file', () => {
    for (const bytes of [Buffer.from('a'), Buffer.from('ab'), Buffer.from('Aan mevrouw Veen, '.repeat(20))]) {
      const text = invented.textFor(bytes.toString('base64'));
      const made = Buffer.from(text, 'base64');
      assert.equal(made.toString('base64'), text);
      assert.equal(made.length, bytes.length);
      assert.ok(!made.includes('Veen'));
    }
  });
});

describe('A masked recording', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-mask-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A recording of calls of one operation, with the answers that are given. */
  function recording(
    name: string,
    answers: readonly (Partial<Record<string, unknown>> & { readonly body: string | Buffer })[],
  ): string {
    const place = join(folder, name);
    mkdirSync(place);
    const lines = answers.map(({ body, ...own }, at) => {
      const start = join(place, String(at + 1).padStart(4, '0'));
      writeFileSync(
        `${start}.request.xml`,
        envelope('<Get xmlns="urn:n"><id>Veen-1</id><pageNumber>1</pageNumber></Get>'),
      );
      writeFileSync(`${start}.answer.xml`, body);
      const headers = { 'content-type': 'text/xml; charset=utf-8', server: 'veen-web-1', 'x-request-id': 'Veen' };
      const answer = { status: 200, headers, bytes: 0, masked: 0, complete: true, ...own };
      const url = 'https://veen.example/V1/service.asmx';
      return JSON.stringify({
        number: at + 1,
        operation: 'Get',
        at: '2026-11-29T10:00:00.000Z',
        url,
        namespace: 'urn:n',
        headers: {},
        answer,
      });
    });
    writeFileSync(join(place, 'index.ndjson'), `${lines.join('\n')}\n`);
    return place;
  }

  it('has invented texts, attributes and headers, and what decides the form of a call', () => {
    const body = envelope(
      `<GetResponse xmlns="urn:n" xmlns:i="${xsi}" xmlns:t="urn:t"><!--Veen--><Result><Succeeded>true</Succeeded><Number>42</Number><Code>Ok</Code><Message>Veen&#x1F;</Message></Result>` +
        `<a i:type="t:Person" t:name="Veen"><![CDATA[Veen & Co]]></a><b i:nil="true" i:schemaLocation="Veen"/><Unit>Piece</Unit><Result><Number>31612345678</Number></Result></GetResponse>`,
    );
    const from = recording('whole', [{ body }]);
    const to = join(folder, 'whole-masked');
    assert.deepEqual(maskRecording(from, to, key), { calls: 1, leftOut: [] });
    const [veen = ''] = [new Invented(key).textFor('Veen')];
    const answer = readFileSync(join(to, '0001.answer.xml'), 'utf8');
    assert.equal(
      answer.slice(answer.indexOf('<GetResponse')),
      `<GetResponse xmlns="urn:n"><Result><Succeeded>true</Succeeded><Number>42</Number><Code>Ok</Code><Message>${veen}&#x1f;</Message></Result>` +
        `<a xmlns:i="${xsi}" xmlns:t="urn:t" i:type="t:Person" t:name="${veen}">${veen} &amp; ${new Invented(key).textFor('Co')}</a>` +
        `<b xmlns:i="${xsi}" i:nil="true" i:schemaLocation="${veen}"></b><Unit>Piece</Unit><Result><Number>${new Invented(key).textFor('31612345678')}</Number></Result></GetResponse></s:Body></s:Envelope>`,
    );
    assert.match(
      readFileSync(join(to, '0001.request.xml'), 'utf8'),
      new RegExp(`<id>${veen}-[2-9]</id><pageNumber>1</pageNumber>`),
    );
    const index = readFileSync(join(to, 'index.ndjson'), 'utf8');
    assert.doesNotMatch(index, /veen|2026-11-29/i);
    assert.match(index, new RegExp(`"bytes":${statSync(join(to, '0001.answer.xml')).size},`));
    for (const name of readdirSync(to))
      assert.equal(statSync(join(to, name)).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o600);
  });

  it('has invented texts in elements that say elsewhere how a call went, and no day of Retry-After', () => {
    const rows =
      '<Row><Result><Succeeded>true</Succeeded><Code>Veen</Code></Result><Code><Value>Veen</Value></Code></Row>' +
      '<Result><Code>Veen</Code></Result><Row><faultcode>Veen</faultcode><pageNumber>612345</pageNumber></Row>';
    const headers = { 'content-type': 'text/xml; charset=utf-8', 'retry-after': 'Sun, 29 Nov 2026 10:00:00 GMT' };
    const fault = '<s:Fault><faultcode>s:Client.NotFound</faultcode><faultstring>Veen</faultstring></s:Fault>';
    const from = recording('elsewhere', [
      { body: envelope(`<GetResponse xmlns="urn:n"><GetResult>${rows}</GetResult></GetResponse>`), headers },
      { body: envelope(fault) },
    ]);
    const to = join(folder, 'elsewhere-masked');
    maskRecording(from, to, key);
    const [answer = '', fails = ''] = ['0001', '0002'].map((name) =>
      readFileSync(join(to, `${name}.answer.xml`), 'utf8'),
    );
    assert.doesNotMatch(answer, /Veen|612345/);
    assert.match(answer, /<Succeeded>true</);
    assert.match(fails, /<faultcode>s:Client\.NotFound</);
    assert.doesNotMatch(fails, /Veen/);
    assert.doesNotMatch(readFileSync(join(to, 'index.ndjson'), 'utf8'), /retry-after|Nov/);
  });

  it('leaves out what cannot be parsed, was cut off or has no answer, and names it', () => {
    const page = '<html><body>Veen<br></body></html>';
    const from = recording('broken', [
      { body: page },
      { body: envelope('<a>Veen</a>').slice(0, -9) },
      { body: envelope('<a/>'), complete: false },
      {
        body: Buffer.from(envelope('<a>é</a>'), 'latin1'),
        headers: { 'content-type': 'text/xml; charset=iso-8859-1' },
      },
    ]);
    const to = join(folder, 'broken-masked');
    const { calls, leftOut } = maskRecording(from, to, key);
    assert.deepEqual(
      [calls, leftOut.map(({ number, why }) => [number, why])],
      [
        4,
        [
          [1, 'is not well-formed XML'],
          [2, 'is not well-formed XML'],
          [3, 'has a truncated answer'],
        ],
      ],
    );
    assert.deepEqual(readdirSync(to).toSorted(), ['0004.answer.xml', '0004.request.xml', 'index.ndjson']);
    assert.match(readFileSync(join(to, 'index.ndjson'), 'utf8'), /charset=utf-8/);
  });

  it('is not made over something else', () => {
    const from = recording('again', [{ body: envelope('<a/>') }]);
    assert.throws(() => maskRecording(from, folder, key), { kind: 'usage', message: `${folder} already exists` });
    assert.throws(() => maskRecording(join(folder, 'none'), join(folder, 'new'), key), { kind: 'usage' });
    assert.ok(!existsSync(join(folder, 'new')));
  });
});
