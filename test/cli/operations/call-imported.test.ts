import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiKey, importedService, type ImportedService } from './imported-service.js';
import { brokenServer, httpAnswer, type BrokenServer } from '../../support/broken-server.js';
import { ends, home, relctl, type Home, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { envelope, namespace } from '../../support/soap-answers.js';
import { deployedWsdl, wsdlText } from '../../support/wsdl.js';

const user = '00000000-0000-4000-8000-000000000011';

/** A simple type within a sequence. */
const members = (...names: readonly string[]): string => `<xs:sequence>${names.join('')}</xs:sequence>`;
const member = (name: string, type: string, more = ''): string => `<xs:element name="${name}" type="${type}"${more}/>`;
const asked = (content: string): string => `<AskResponse xmlns="urn:t">${content}</AskResponse>`;

describe('A write that was imported', () => {
  let service: ImportedService;
  const wsdl = deployedWsdl(['NotificationGetCount', 'NotificationReset']);
  const answered = (content: string): string =>
    `<NotificationResetResponse xmlns="${namespace}"><NotificationResetResult>` +
    `<Result><Succeeded>true</Succeeded><Number>0</Number></Result>${content}</NotificationResetResult></NotificationResetResponse>`;
  before(async () => {
    service = await importedService(namespace, '1.2');
    assert.equal((await service.take(wsdl)).code, 0);
  });
  after(() => service.close());

  it('is printed with what says that it succeeded', async () => {
    service.answer = answered('<NumberOfNotifications>3</NumberOfNotifications>');
    const { stdout } = await ends(service.run(['call', 'NotificationReset', '--param', `userId=${user}`]), 0);
    assert.deepEqual(JSON.parse(stdout), { Result: { Succeeded: true, Number: 0 }, NumberOfNotifications: 3 });
  });

  it('is done in each row of a file', async () => {
    const rows = join(service.place.folder, 'rows.csv');
    writeFileSync(rows, `userId\n${user}\n`);
    await ends(service.run(['call', 'NotificationReset', '--file', rows, '--yes']), 0);
    assert.match(readFileSync(`${rows}.results.csv`, 'utf8'), /,done,/);
  });

  it('is not known to be done without a member that the WSDL says is always there', async () => {
    service.answer = answered('');
    const { code, stderr } = await service.run(['call', 'NotificationReset', '--param', `userId=${user}`]);
    assert.equal(code, 9, stderr);
    assert.match(stderr, /answered without the NumberOfNotifications/);
  });

  it('needs no record in an answer without an envelope', async () => {
    const own = await importedService('urn:t');
    const record =
      '<xs:complexType name="R"><xs:sequence><xs:element name="A" type="xs:string" minOccurs="0"/></xs:sequence></xs:complexType>';
    const answer = members(member('Id', 'xs:int'), member('Error', 't:R', ' minOccurs="0"'), member('Status', 't:R'));
    assert.equal((await own.take(wsdlText({ types: record, ask: '', answer }))).code, 0);
    own.answer = asked('<Id>5</Id><Status flag="SUCCESS"/>');
    const { stdout } = await ends(own.run(['call', 'Ask']), 0);
    assert.deepEqual(JSON.parse(stdout), { Id: 5, Status: { '@flag': 'SUCCESS' } });
    await own.close();
  });
});

describe('An operation that an import left out', () => {
  let service: ImportedService;
  const body = '<w:input><soap:body use="literal"/>';
  const wsdl = wsdlText({ ask: '' }).replace(body, `${body}<soap:header message="t:in" part="p" use="literal"/>`);
  before(async () => {
    service = await importedService('urn:profile');
    const { code } = await service.take(
      wsdl
        .replace('</w:binding>', () => `${second('Other')}</w:binding>`)
        .replace('</w:portType>', () => `${abstract('Other')}</w:portType>`),
    );
    assert.equal(code, 0);
  });
  after(() => service.close());
  const abstract = (name: string): string =>
    `<w:operation name="${name}"><w:input message="t:in"/><w:output message="t:out"/></w:operation>`;
  const second = (name: string): string =>
    `<w:operation name="${name}"><soap:operation soapAction="urn:x"/><w:input><soap:body use="literal"/></w:input><w:output><soap:body use="literal"/></w:output></w:operation>`;

  for (const args of [
    ['call', 'Ask', '--read'],
    ['call', 'Ask', '--write', '--yes', '--param', 'A=1'],
    ['operations', 'Ask'],
  ]) {
    it(`is not sent, and ${args.join(' ')} says why`, async () => {
      await ends(service.run(args), 2, /the WSDL of the service has Ask, which relctl does not call: a SOAP header/);
      assert.equal(service.server.requests.length, 0);
    });
  }

  it('leaves no credentials to a name that the WSDL does not have', async () => {
    await ends(service.run(['call', 'Unheard', '--read']), 2, /the WSDL of the service has no operation 'Unheard'/);
    assert.equal(service.server.requests.length, 0);
  });

  it('is sent as a whole envelope with the action and version of the WSDL, and answered in its namespace', async () => {
    const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
    const input = `<e:Envelope xmlns:e="${soap}"><e:Body><Ask xmlns="urn:t"/></e:Body></e:Envelope>`;
    service.answer = asked('<A>1</A>');
    const { stdout } = await ends(service.run(['call', 'Ask', '--read', '--input', '-'], { input }), 0);
    assert.deepEqual(JSON.parse(stdout), { A: '1' });
    const [request] = service.server.requests.slice(-1);
    assert.equal(request?.headers['soapaction'], '"urn:t/Ask"');
    assert.equal(request.headers['content-type'], 'text/xml; charset=utf-8');
    assert.equal(request.body.toString(), input);
    assert.doesNotMatch(request.body.toString(), new RegExp(apiKey));
  });
});

describe('The version of a call of an imported operation', () => {
  const soap11 = 'http://schemas.xmlsoap.org/wsdl/soap/';
  const soap12 = 'http://schemas.xmlsoap.org/wsdl/soap12/';
  const of11 = wsdlText({ ask: '' });
  const of12 = of11.replaceAll(soap11, soap12);
  const both = of11.replace('</w:definitions>', () => {
    const binding = /<w:binding[^]*<\/w:binding>/.exec(of11)?.[0] ?? assert.fail();
    return `${binding.replace('name="B"', `name="C" xmlns:soap="${soap12}"`)}</w:definitions>`;
  });
  const forms: readonly (readonly [
    what: string,
    wsdl: string,
    flags: readonly string[],
    type: string,
    action: string | undefined,
  ])[] = [
    ['is 1.1 where the WSDL has no other', of11, [], 'text/xml; charset=utf-8', '"urn:t/Ask"'],
    [
      'is that of the command line',
      of11,
      ['--set', 'soapVersion=1.2'],
      'application/soap+xml; charset=utf-8; action="urn:t/Ask"',
      undefined,
    ],
    [
      'is 1.2 where the WSDL has no other, with the action',
      of12,
      [],
      'application/soap+xml; charset=utf-8; action="urn:t/Ask"',
      undefined,
    ],
    [
      'is that of the profile where the WSDL has both',
      both,
      [],
      'application/soap+xml; charset=utf-8; action="urn:t/Ask"',
      undefined,
    ],
  ];
  for (const [what, wsdl, flags, type, action] of forms) {
    it(what, async () => {
      const service = await importedService('urn:t', type.startsWith('text') ? '1.1' : '1.2');
      assert.equal((await service.take(wsdl)).code, 0);
      service.answer = asked('');
      await ends(service.run(['call', 'Ask', ...flags]), 0);
      const { headers } = service.server.requests[0] ?? assert.fail();
      assert.deepEqual([headers['content-type'], headers['soapaction']], [type, action]);
      await service.close();
    });
  }
});

describe('What an import keeps', () => {
  let service: ImportedService;
  const ports = ['One', 'Two']
    .map((name) => `<w:port name="${name}" binding="t:B"><soap:address location="http://${name}/"/></w:port>`)
    .join('');
  const wsdl = wsdlText({ ask: '' }).replace('</w:definitions>', `<w:service name="S">${ports}</w:service>$&`);
  beforeEach(async () => {
    service = await importedService('urn:t');
  });
  afterEach(() => service.close());
  const kept = (): string => {
    const folder = join(service.place.folder, 'config', 'relctl', 'wsdl');
    return join(folder, readdirSync(folder)[0] ?? assert.fail());
  };

  it('is the port that was named, for the next time too', async () => {
    const first = await service.take(wsdl, '--port', 'Two');
    assert.match(first.stderr, /its service is at http:\/\/two\b/);
    const again = await service.take(wsdl);
    assert.match(again.stderr, /its service is at http:\/\/two\b/);
    const other = await service.take(wsdl, '--port', 'One');
    assert.match(other.stderr, /its service is at http:\/\/one\b/);
  });

  it('is replaced by the next one where it cannot be read', async () => {
    assert.equal((await service.take(wsdl)).code, 0);
    writeFileSync(kept(), '{"format":1}');
    await ends(service.run(['call', 'Ask', '--read']), 3, /Try: relctl operations import/);
    const mended = await service.take(wsdl, '--reads', 'Ask');
    assert.equal(mended.code, 0, mended.stderr);
    assert.match(
      mended.stderr,
      /relctl cannot read the description .*: it is replaced, and its settings of --reads and --port are lost/,
    );
    service.answer = asked('');
    assert.equal((await service.run(['call', 'Ask'])).code, 0);
  });
});

describe('Attributes of an answer', () => {
  let service: ImportedService;
  const answer = members(
    '<xs:element name="Row" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence>' +
      '<xs:element name="A" type="xs:int"/></xs:sequence><xs:attribute name="id" type="xs:string"/></xs:complexType></xs:element>',
    '<xs:element name="Price" type="xs:decimal" minOccurs="0" nillable="true"/>',
    '<xs:element name="Note" type="xs:string" minOccurs="0" maxOccurs="unbounded"/>',
    '<xs:element name="Tree" minOccurs="0"/>',
  );
  before(async () => {
    service = await importedService('urn:t');
    assert.equal((await service.take(wsdlText({ ask: '', answer }), '--reads', 'Ask')).code, 0);
  });
  after(() => service.close());

  it('are members of records and of trees, and stand beside a value, which stays one', async () => {
    service.answer = asked(
      '<Row id="7"><A>1</A></Row><Row id="8"><A>2</A></Row><Row xmlns:x="urn:x" x:note="n"><A>3</A></Row>' +
        '<Price cur="EUR">12.50</Price>' +
        '<Tree xmlns:z="#RowsetSchema"><z:row ows_Title="Alpha" ows_ID="1"/><z:row ows_Title="Beta" xml:lang="en"/></Tree>',
    );
    const { stdout } = await ends(service.run(['call', 'Ask']), 0);
    assert.deepEqual(JSON.parse(stdout), {
      Row: [
        { A: 1, '@id': '7' },
        { A: 2, '@id': '8' },
        { A: 3, '@note': 'n' },
      ],
      Price: '12.50',
      'Price@cur': 'EUR',
      Note: [],
      Tree: { row: [{ '@ows_Title': 'Alpha', '@ows_ID': '1' }, { '@ows_Title': 'Beta' }] },
    });
  });

  it('leave nil what is nil, and stand with an item of a list', async () => {
    const nil = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"';
    service.answer = asked(
      `<Price ${nil} cur="EUR"/><Note lang="nl">a</Note><Note>b</Note><Note ${nil} lang="en"/><Tree ${nil} why="x"/>`,
    );
    const { stdout } = await service.run(['call', 'Ask']);
    assert.deepEqual(JSON.parse(stdout), {
      Row: [],
      Price: null,
      Note: [{ '@lang': 'nl', '#text': 'a' }, 'b', null],
      Tree: null,
      'Price@cur': 'EUR',
      'Note@lang': 'en',
      'Tree@why': 'x',
    });
  });

  it('make no list of an answer doubtful, and are in its rows', async () => {
    const list = ['call', 'Ask', '--list', 'Row', '-o', 'json', '--page-params', 'none'];
    service.answer = '<AskResponse xmlns="urn:t" total="0"/>';
    const none = await service.run(list);
    assert.deepEqual([none.code, none.stdout], [0, '[]\n'], none.stderr);
    service.answer = asked('<Row id="7"><A unit="m">1</A></Row>');
    const { stdout } = await service.run(list);
    assert.deepEqual(JSON.parse(stdout), [{ A: 1, '@id': '7', 'A@unit': 'm' }]);
    service.answer = asked('<Note lang="nl">a</Note><Note>b</Note>');
    const notes = await service.run(['call', 'Ask', '--list', 'Note', '-o', 'json', '--page-params', 'none']);
    assert.deepEqual(JSON.parse(notes.stdout), [{ Value: { '@lang': 'nl', '#text': 'a' } }, { Value: 'b' }]);
  });

  it('are in each of many rows with the same tags', async () => {
    const row =
      '<xs:element name="R" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence><xs:element name="A" type="xs:int"/></xs:sequence></xs:complexType></xs:element>';
    const rows = `<xs:element name="Rows"><xs:complexType><xs:sequence>${row}</xs:sequence></xs:complexType></xs:element>`;
    assert.equal((await service.take(wsdlText({ ask: '', answer: members(rows) }), '--reads', 'Ask')).code, 0);
    service.answer = asked(`<Rows>${'<R id="7"><A>1</A></R>'.repeat(5)}</Rows>`);
    const { stdout } = await service.run(['call', 'Ask']);
    assert.deepEqual(JSON.parse(stdout), { Rows: Array.from({ length: 5 }, () => ({ A: 1, '@id': '7' })) });
  });
});

describe('An answer with elements of which nothing says a name', () => {
  let service: ImportedService;
  // What a DataSet of .NET is declared as.
  const open = '<xs:complexType><xs:sequence><xs:element ref="xs:schema"/><xs:any/></xs:sequence></xs:complexType>';
  const row =
    '<xs:element name="Row" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence><xs:element name="Id" type="xs:int"/><xs:any minOccurs="0"/></xs:sequence></xs:complexType></xs:element>';
  const table = (number: number, amount: string): string =>
    `<Table d:id="Table${number}"><Nr>${number}</Nr><Amount>${amount}</Amount></Table>`;
  const dataSet = (rows: string): string =>
    asked(
      `<AskResult><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/><d:diffgram xmlns:d="urn:schemas-microsoft-com:xml-diffgram-v1"><NewDataSet xmlns="">${rows}</NewDataSet></d:diffgram></AskResult>`,
    );
  before(async () => {
    service = await importedService('urn:t');
    const answer = members(`<xs:element name="AskResult">${open}</xs:element>`);
    assert.equal((await service.take(wsdlText({ ask: '', answer }), '--reads', '*')).code, 0);
  });
  after(() => service.close());
  const rows = ['call', 'Ask', '--list', 'diffgram.NewDataSet.Table'];

  it('takes any name below them in --query', async () => {
    service.answer = dataSet(table(1, '12.50') + table(2, '7.00'));
    const { code, stdout, stderr } = await service.run(argv`call Ask --query diffgram.NewDataSet.Table[].Amount`);
    assert.deepEqual([code, JSON.parse(stdout)], [0, ['12.50', '7.00']], stderr);
  });

  it('is a table by --list where its rows are, also one row alone, or none', async () => {
    for (const [content, lines] of [
      [table(1, '12.50') + table(2, '7.00'), ['@id,Nr,Amount', 'Table1,1,12.50', 'Table2,2,7.00']],
      [table(1, '12.50'), ['@id,Nr,Amount', 'Table1,1,12.50']],
    ] as const) {
      service.answer = dataSet(content);
      const { code, stdout, stderr } = await service.run([...rows, '-o', 'csv']);
      assert.deepEqual([code, stdout.trim().split(/\r?\n/)], [0, lines], stderr);
    }
    service.answer = dataSet('');
    const none = await service.run([...rows, '-o', 'json']);
    assert.deepEqual([none.code, JSON.parse(none.stdout)], [0, []], none.stderr);
  });

  it('is a table of the rows of all elements on the way to it', async () => {
    const way = (content: string): string => `<Group>${content}</Group>`;
    const grouped = ['call', 'Ask', '--list', 'diffgram.NewDataSet.Group.Table', '-o', 'json'];
    for (const content of [
      way(table(1, '12.50') + table(2, '7.00')),
      way(table(1, '12.50')) + way(table(2, '7.00')),
      way(table(1, '12.50')) + way('') + way(table(2, '7.00')),
    ]) {
      service.answer = dataSet(content);
      const { code, stdout, stderr } = await service.run(grouped);
      const numbers = (JSON.parse(stdout) as { Nr: string }[]).map(({ Nr }) => Nr);
      assert.deepEqual([code, numbers], [0, ['1', '2']], stderr);
    }
  });

  for (const [flags, message] of [
    [
      ['--resume'],
      /nothing describes diffgram\.NewDataSet\.Table, so its rows come from one call: --resume cannot be used with it/,
    ],
    [['--query', 'Nr'], /--query cannot be used with it/],
    [['--where', 'Nr = 1'], /--where cannot be used with it/],
    [['--columns', 'Nr'], /--columns cannot be used with it/],
  ] as const) {
    it(`is a mistake of such a list: ${flags.join(' ')}`, async () => {
      const { code, stderr } = await service.run([...rows, ...flags]);
      assert.deepEqual([code, message.test(stderr)], [2, true], stderr);
    });
  }

  it('has columns and conditions of any name in its records, and none where the WSDL says all', async () => {
    const own = await importedService('urn:t');
    assert.equal((await own.take(wsdlText({ ask: '', answer: members(row) }), '--reads', '*')).code, 0);
    own.answer = asked('<Row u="m"><Id>1</Id><More>x</More></Row><Row><Id>2</Id><More>y</More></Row>');
    const list = ['call', 'Ask', '--list', 'Row', '-o', 'csv'];
    const { code, stdout, stderr } = await own.run([...list, '--columns', 'Id,More,@u', '--where', "More = 'x'"]);
    assert.deepEqual([code, stdout], [0, 'Id,More,@u\n1,x,m\n'], stderr);
    const closed = row.replace('<xs:any minOccurs="0"/>', '<xs:element name="More" type="xs:string"/>');
    assert.equal((await own.take(wsdlText({ ask: '', answer: members(closed) }), '--reads', '*')).code, 0);
    await ends(own.run([...list, '--columns', 'Id,Mor']), 2, /there is no column 'Mor'/);
    const attribute = await own
      .run([...list, '--columns', 'Id,@u,More@lang', '--query', '[]."@u"'])
      .then(() => own.run(['call', 'Ask', '--query', 'Row[]."@u"']));
    assert.deepEqual([attribute.code, JSON.parse(attribute.stdout)], [0, ['m']], attribute.stderr);
    await own.close();
  });
});

describe('The input of an imported operation', () => {
  let service: ImportedService;
  const record = `<xs:complexType name="R">${members(member('L', 'xs:long', ' minOccurs="0"'), member('Key', 'xs:string'), member('Day', 'xs:int'))}</xs:complexType>`;
  const ask = members(
    ...['long', 'decimal', 'double', 'integer', 'unsignedInt', 'int'].map((type) =>
      member(type, `xs:${type}`, ' minOccurs="0"'),
    ),
    member('rec', 't:R', ' minOccurs="0"'),
    member('many', 't:R', ' minOccurs="0" maxOccurs="unbounded"'),
  );
  before(async () => {
    service = await importedService('urn:t');
    assert.equal((await service.take(wsdlText({ ask, types: record }))).code, 0);
    service.answer = asked('');
  });
  after(() => service.close());
  const sent = (): string => service.bodies().at(-1) ?? '';

  it('may have numbers of JSON, which are sent to the letter', async () => {
    const input =
      '{"long":9223372036854775807,"decimal":1.50,"double":1.5E3,"integer":12345678901234567890123,"unsignedInt":2,"int":4,"rec":{"L":5,"Key":"say \\"7.0\\" \\\\","Day":1}}';
    await ends(service.run(['call', 'Ask', '--input', '-'], { input }), 0);
    assert.equal(
      sent(),
      '<Ask xmlns="urn:t"><long>9223372036854775807</long><decimal>1.50</decimal><double>1.5E3</double>' +
        '<integer>12345678901234567890123</integer><unsignedInt>2</unsignedInt><int>4</int>' +
        '<rec><L>5</L><Key>say "7.0" \\</Key><Day>1</Day></rec></Ask>',
    );
  });

  it('may name members of records and lists by --param', async () => {
    const params = argv`rec.l=7 rec.Key=K rec.day=3 many[0].Key=A many[0].Day=1 many[1].Key=B many[1].Day=2`;
    await ends(service.run(['call', 'Ask', ...params.flatMap((each) => ['--param', each])]), 0);
    assert.equal(
      sent(),
      '<Ask xmlns="urn:t"><rec><L>7</L><Key>K</Key><Day>3</Day></rec>' +
        '<many><Key>A</Key><Day>1</Day></many><many><Key>B</Key><Day>2</Day></many></Ask>',
    );
    const wrong = await service.run(['call', 'Ask', '--param', 'rec.Kee=1']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /rec has no 'Kee' \(is it Key\?\); it has L, Key, Day/);
  });

  it('is refused with all its mistakes at once, and the way to its parameters', async () => {
    const before = service.server.requests.length;
    const input = '{"int":"x","rec":{"L":"1.5","Colour":1},"many":[{"Key":1,"Day":2},{"Key":"k"}]}';
    const { stderr } = await ends(service.run(['call', 'Ask', '--input', '-'], { input }), 2);
    for (const mistake of [
      /int must be a whole number/,
      /rec\.Colour is not known to R/,
      /rec\.L must be a 64-bit whole number/,
      /rec\.Key is missing/,
      /rec\.Day is missing/,
      /many\[0\]\.Key must be a text, not 1/,
      /many\[1\]\.Day is missing/,
      /Try: relctl operations Ask/,
    ])
      assert.match(stderr, mistake);
    assert.equal(service.server.requests.length, before);
  });
});

describe('An import of a WSDL', () => {
  const callable = wsdlText({ ask: '' });
  const body = '<w:input><soap:body use="literal"/>';
  const none = callable.replace(body, `${body}<soap:header message="t:in" part="p" use="literal"/>`);
  const soap = (name: string, type: string, operations: string): string =>
    `<w:binding name="${name}" type="t:${type}"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>${operations}</w:binding>`;
  const operation = (name: string, inner: string): string => `<w:operation name="${name}">${inner}</w:operation>`;
  const literal =
    '<soap:operation soapAction="urn:x"/><w:input><soap:body use="literal"/></w:input><w:output><soap:body use="literal"/></w:output>';
  const messages = '<w:input message="t:in"/><w:output message="t:out"/>';
  const names = ['One', 'Two', 'Three'];
  const many = callable.replace(
    '</w:definitions>',
    `<w:portType name="Q">${names.map((name) => operation(name, messages)).join('')}</w:portType>` +
      soap('R', 'Q', names.map((name) => operation(name, literal)).join('')) +
      '<w:service name="S"><w:port name="Small" binding="t:B"/><w:port name="Large" binding="t:R"/></w:service></w:definitions>',
  );
  let service: ImportedService;
  const known = async (): Promise<readonly string[]> => {
    const { stdout } = await service.run(['operations', '-o', 'csv', '--columns', 'Name,Source']);
    return stdout.split(/\r?\n/).flatMap((line) => (line.endsWith(',imported') ? [line.replace(',imported', '')] : []));
  };
  before(async () => {
    service = await importedService('urn:t');
  });
  after(() => service.close());

  it('that has nothing to call is exit code 7 with the chief reason, and keeps nothing', async () => {
    const { stderr } = await ends(
      service.take(none, '-o', 'csv'),
      7,
      /relctl can call no operations of .*service\.wsdl \(1 of 1 omitted: a SOAP header\); relctl saved nothing/,
      /Ask,unread,a SOAP header/,
    );
    assert.match(stderr, /relctl is not a general SOAP client/);
    assert.deepEqual(await known(), []);
  });

  it('reads the port with most operations, or the one that is named', async () => {
    assert.equal((await service.take(many)).code, 0);
    assert.deepEqual(await known(), names);
    for (const flags of [['--port', 'Small'], []]) {
      await ends(service.take(many, ...flags), 0);
      assert.deepEqual(await known(), ['Ask']);
    }
    await ends(service.take(many, '--port', 'Huge'), 2, /no port of SOAP 'Huge'; it has Small, Large/);
    const gone = await ends(
      service.take(many.replace('name="Small"', 'name="Tiny"')),
      7,
      /no port of SOAP 'Small'; it has Tiny, Large; the WSDL imports it, and relctl saved nothing/,
    );
    assert.match(gone.stderr, /Try: relctl operations import [^\n]*--port NAME\n/);
    assert.deepEqual(await known(), ['Ask']);
  });

  it('with fewer than half of what was known keeps that', async () => {
    assert.equal((await service.take(many, '--port', 'Large')).code, 0);
    const one = many.replaceAll(/<w:operation name="(?:Two|Three)">[^]*?<\/w:operation>/g, '');
    const { code, stderr } = await service.take(one);
    assert.equal(code, 7, stderr);
    assert.match(stderr, /can call one operation of .*; it knew 3 operations; relctl saved nothing/);
    assert.match(stderr, /Try: relctl operations import --forget/);
    assert.deepEqual(await known(), names);
    assert.equal((await service.run(['operations', 'import', '--forget'])).code, 0);
    assert.equal((await service.take(callable)).code, 0);
  });

  it('calls an overload by the name of its message', async () => {
    const overloads = callable
      .replace(
        '</w:portType>',
        `${operation('Ask', '<w:input name="AskById" message="t:byId"/><w:output message="t:out"/>')}</w:portType>`,
      )
      .replace('<w:portType', '<w:message name="byId"><w:part name="p" element="t:AskById"/></w:message><w:portType')
      .replace('</xs:schema>', '<xs:element name="AskById"><xs:complexType/></xs:element></xs:schema>')
      .replace(
        '</w:binding>',
        `${operation('Ask', literal.replace('<w:input>', '<w:input name="AskById">'))}</w:binding>`,
      );
    assert.equal((await service.take(overloads)).code, 0);
    assert.deepEqual(await known(), ['Ask', 'AskById']);
    service.answer = asked('');
    assert.equal((await service.run(['call', 'AskById'])).code, 0);
    assert.equal(service.bodies().at(-1), '<AskById xmlns="urn:t"></AskById>');
  });
});

describe('A service whose operations take no credentials', () => {
  it('is added, imported and called without a key', async () => {
    const service = await importedService('urn:t');
    const env = { ...service.place.env, RELCTL_RETRIES: '0' };
    const file = join(service.place.folder, 'own.wsdl');
    writeFileSync(file, wsdlText({ ask: '' }));
    service.answer = asked('<A>1</A>');
    const base = ['--base-url', `${service.server.url}/service.asmx`, '--namespace', 'urn:t'];
    for (const args of [
      ['profile', 'add', 'lib', ...base],
      ['operations', 'import', file, '-p', 'lib'],
      ['call', 'Ask', '-p', 'lib'],
    ]) {
      await ends(relctl(args, { env }), 0);
    }
    await ends(relctl(['mark', 'list', '-p', 'lib'], { env }), 3, /has no apiKey/);
    await service.close();
  });
});

describe('The calibration of a service without relations', () => {
  let server: BrokenServer;
  let env: NodeJS.ProcessEnv;
  let place: Home;
  const rows = Array.from({ length: 5 }, (_, at) => `<Row><Nr>${at}</Nr></Row>`);
  const ask = members(member('withAll', 'xs:boolean'), member('page', 'xs:int'), member('pageSize', 'xs:int'));
  const row = members(member('Nr', 'xs:int'), member('More', 'xs:string', ' minOccurs="0"'));
  const answer = members(
    `<xs:element name="Row" minOccurs="0" maxOccurs="unbounded"><xs:complexType>${row}</xs:complexType></xs:element>`,
  );
  const run = (...args: readonly string[]): Promise<Run> => relctl(args, { env });
  const imported = async (more: string, ...flags: readonly string[]): Promise<void> => {
    const file = join(place.folder, 'own.wsdl');
    writeFileSync(file, wsdlText({ ask: ask.replace('</xs:sequence>', `${more}$&`), answer }));
    await ends(run('operations', 'import', file, '-p', 'lib', ...flags), 0);
  };
  before(async () => {
    // Its pages are counted from 0.
    server = await brokenServer({
      answer(socket, { body }) {
        const number = (name: string): number => Number(new RegExp(`<${name}>(\\d+)<`).exec(body.toString())?.[1]);
        const [page, size] = [number('page'), number('pageSize')];
        socket.write(httpAnswer(envelope('1.1', asked(rows.slice(page * size, (page + 1) * size).join('')))));
      },
    });
    place = home();
    env = { ...place.env, RELCTL_RETRIES: '0' };
    await ends(run('profile', 'add', 'lib', '--base-url', `${server.url}/service.asmx`, '--namespace', 'urn:t'), 0);
  });
  after(async () => {
    await server.close();
    place.remove();
  });

  it('reads another list that only reads, and needs nothing but yes or no', async () => {
    await imported('', '--reads', 'Ask');
    const list = ['call', 'Ask', '--list', 'Row', '--param', 'withAll=false', '-o', 'json', '-p', 'lib'];
    const before = await run(...list);
    assert.deepEqual(
      [before.code, before.stderr.includes('"hint":"relctl profile edit lib --set firstPage=0"')],
      [7, true],
      before.stderr,
    );
    const { stdout } = await ends(run('profile', 'test', 'lib', '--calibrate', '-o', 'json'), 0);
    const { FirstPage, RespectsPageNumber, Kept } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    assert.deepEqual({ FirstPage, RespectsPageNumber, Kept }, { FirstPage: 0, RespectsPageNumber: true, Kept: true });
    const after = await run(...list);
    assert.deepEqual([after.code, (JSON.parse(after.stdout) as unknown[]).length], [0, 5], after.stderr);
  });

  for (const [what, more, flags] of [
    ['writes, for all that is known', '', ['--reads', 'None']],
    ['needs more than that', member('customer', 'xs:string'), ['--reads', 'Ask']],
  ] as const) {
    it(`says what can be done where its list ${what}`, async () => {
      await imported(more, ...flags);
      const { code, stderr } = await run('profile', 'test', 'lib', '--calibrate');
      assert.equal(code, 2, stderr);
      assert.match(stderr, /according to its WSDL the service has no RelationGetAll, and no other list with pages/);
      assert.match(stderr, /profile edit lib --set firstPage=0/);
    });
  }
});

describe('What a WSDL is not', () => {
  const wrong = '<html><body>Sign in</body></html>';
  const two = '<d:description xmlns:d="http://www.w3.org/ns/wsdl"/>';
  for (const [what, text, words] of [
    ['an HTML page', `<!DOCTYPE html>${wrong}`, /is an HTML page, and no WSDL/],
    ['WSDL 2.0', two, /is WSDL 2\.0, and relctl reads WSDL 1\.1/],
  ] as const) {
    it(`is named: ${what}`, async () => {
      const service = await importedService('urn:t');
      await ends(service.take(text), 7, words);
      await service.close();
    });
  }

  it('a well-known schema that is not there costs what refers to it alone', async () => {
    const service = await importedService('urn:t');
    const mime = 'http://www.w3.org/2005/05/xmlmime';
    const types = `<xs:complexType name="M"><xs:sequence xmlns:m="${mime}"><xs:element name="c" type="m:base64Binary"/></xs:sequence></xs:complexType>`;
    const wsdl = wsdlText({
      ask: members(member('a', 'xs:int', ' minOccurs="0"'), member('m', 't:M', ' minOccurs="0"')),
      types,
    });
    const at = '<xs:element name="Ask">';
    const { code, stdout, stderr } = await service.take(
      wsdl.replace(at, `<xs:import namespace="${mime}" schemaLocation="http://www.w3.org/2005/05/xmlmime"/>${at}`),
      '-o',
      'csv',
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /M,unread,.*base64Binary/);
    await service.close();
  });
});

describe('An answer whose header and declaration differ', () => {
  it('is read where it is UTF-8 as one of them says, and refused where it is not', async () => {
    const service = await importedService('urn:t');
    assert.equal((await service.take(wsdlText({ ask: '' }), '--reads', 'Ask')).code, 0);
    const xml = envelope('1.1', asked('<A>é</A>')).body;
    const headers = { 'Content-Type': 'text/xml; charset=iso-8859-1' };
    service.answer = { headers, body: xml };
    await ends(service.run(['call', 'Ask']), 0);
    service.answer = { headers, body: Buffer.from(xml, 'latin1') };
    await ends(service.run(['call', 'Ask']), 7, /is not utf-8; the header says iso-8859-1, and the declaration utf-8/);
    await service.close();
  });
});

describe('An answer whose headers are not those of the rules', () => {
  const xml = envelope('1.1', asked('<A>é</A>')).body;
  for (const [what, headers, body] of [
    ['Content-Encoding: utf-8', { 'Content-Encoding': 'utf-8' }, xml],
    ['Content-Encoding: none', { 'Content-Encoding': 'none' }, xml],
    ["charset='utf-8'", { 'Content-Type': "text/xml; charset='utf-8'" }, xml],
    ['two types', { 'Content-Type': 'text/xml; charset=utf-8, text/xml' }, xml],
    ['charset=iso-8859-1 beside UTF-8', { 'Content-Type': 'text/xml; charset=iso-8859-1' }, xml],
    ['charset=us-ascii behind a byte order mark', { 'Content-Type': 'text/xml; charset=us-ascii' }, `\ufeff${xml}`],
    ['white space before the declaration', {}, `\r\n ${xml}`],
    ['white space behind a byte order mark', {}, `\ufeff\n${xml}`],
    ['white space before a byte order mark', {}, `\n\ufeff${xml}`],
  ] as const) {
    it(`is read: ${what}`, async () => {
      const service = await importedService('urn:t');
      assert.equal((await service.take(wsdlText({ ask: '' }), '--reads', 'Ask')).code, 0);
      service.answer = { headers: { 'Content-Type': 'text/xml; charset=utf-8', ...headers }, body };
      const { stdout } = await ends(service.run(['call', 'Ask']), 0);
      assert.deepEqual(JSON.parse(stdout), { A: 'é' });
      await service.close();
    });
  }
});
