import assert from 'node:assert/strict';
import { operations } from '../../../src/contract/service.js';
import type { Fields, Operation, ScalarName, Type } from '../../../src/contract/build.js';
import { templateOf, unfilledIn } from '../../../src/kit/operations/input.js';
import { parametersOfJson } from '../../../src/kit/flags/by-type.js';
import { jsonWithLetters, isList, isRecord, type RecordValue, type Value } from '../../../src/core/values/value.js';
import { encodeFields } from '../../../src/soap/codec/encode.js';
import { importedService, type ImportedService } from './imported-service.js';
import { ends, home, relctl, type Home } from '../../support/relctl.js';
import { envelope } from '../../support/soap-answers.js';
import { importedFrom, wsdlText } from '../../support/wsdl.js';

const sequence = (...elements: readonly string[]): string => `<xs:sequence>${elements.join('')}</xs:sequence>`;
const one = (name: string, type: string, more = ''): string => `<xs:element name="${name}" type="${type}" ${more}/>`;
const ask = sequence(
  one('Key', 'xs:string'),
  one('Day', 't:Day', 'minOccurs="0"'),
  one('Price', 'xs:double', 'minOccurs="0" nillable="true"'),
  one('Gone', 'xs:date', 'nillable="true"'),
  one('Ids', 'xs:long', 'minOccurs="0" maxOccurs="unbounded"'),
  one('Node', 't:Node'),
  one('Tagged', 't:Tagged', 'minOccurs="0"'),
  `<xs:choice>${one('A', 'xs:int')}${sequence(one('B', 'xs:int'), one('C', 'xs:int'))}</xs:choice>`,
);
const types =
  '<xs:simpleType name="Day"><xs:restriction base="xs:string"><xs:enumeration value="Mon"/><xs:enumeration value="Tue"/></xs:restriction></xs:simpleType>' +
  `<xs:complexType name="Node">${sequence(one('v', 'xs:boolean'), one('next', 't:Node', 'minOccurs="0"'))}</xs:complexType>` +
  '<xs:complexType name="Tagged"><xs:attribute name="u" use="required"/></xs:complexType>';
const wsdl = wsdlText({ ask, types });

const template = {
  '//': 'Input of Ask: replace each <...> with a value, or remove the member.',
  Key: '<string>',
  Day: '<one of Mon, Tue; may be left out>',
  Price: '<double; may be left out; may be null>',
  Gone: '<date; may be null>',
  Ids: ['<long, as many as you like; may be left out>'],
  Node: { '//': 'Node', v: '<boolean>', next: '<Node; may be left out>' },
  A: '<int; give one of A, B with C>',
  B: '<int; give one of A, B with C>',
  C: '<int; give one of A, B with C>',
};

const samples: Readonly<Record<ScalarName, Value>> = {
  guid: '00000000-0000-0000-0000-000000000000',
  string: '',
  int: 0,
  short: 0,
  long: '0',
  decimal: '0',
  dateTime: '2000-01-01T00:00:00',
  boolean: true,
  anyType: '',
};

/** A template with some value in the place of each of its words, as somebody fills it in. */
function filledIn(fields: Fields, of: RecordValue): RecordValue {
  const both = jsonWithLetters(JSON.stringify(of)) ?? assert.fail();
  const read = parametersOfJson(fields, both as [Value, Value]) ?? assert.fail();
  assert.equal(unfilledIn(fields, read).length, wordsIn(of));
  const inRecord = (inner: Fields, record: RecordValue): RecordValue =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, inValue(inner[name]?.type ?? assert.fail(), value)]),
    );
  const inValue = (type: Type, value: Value): Value => {
    if (type.kind === 'list') return isList(value) ? value.map((item) => inValue(type.item, item)) : value;
    if (type.kind === 'record') return isRecord(value) ? inRecord(type.fields, value) : {};
    return type.kind === 'enumeration' ? (type.values[0] ?? '') : samples[type.name];
  };
  return inRecord(fields, read);
}

const wordsIn = (value: Value): number => {
  if (isList(value)) return value.reduce<number>((sum, each) => sum + wordsIn(each), 0);
  if (!isRecord(value)) return typeof value === 'string' && value.startsWith('<') ? 1 : 0;
  return Object.values(value).reduce<number>((sum, each) => sum + wordsIn(each), 0);
};

describe('The template of an input', () => {
  it('has each member that can be sent, in the order of the wire, with words in the place of its value', async () => {
    const { find } = await importedFrom({ 'service.wsdl': wsdl }).then((imported) => ({
      find: (name: string) => imported.find(name) ?? assert.fail(),
    }));
    assert.deepEqual(JSON.parse(JSON.stringify(templateOf(find('Ask')))), template);
    assert.deepEqual(Object.keys(templateOf(find('Ask'))), Object.keys(template));
  });

  it('can be sent when its words are values, for each operation of the contract', () => {
    for (const operation of Object.values<Operation>(operations)) {
      const { parameters, name } = operation;
      const input = filledIn(parameters, templateOf(operation));
      encodeFields(parameters, input, { direction: 'request', of: name });
    }
  });

  it('ends where records hold so many others that nobody could read it', async () => {
    const wide = Array.from({ length: 30 }, (_, at) => one(`m${at}`, `t:R${at}`, 'minOccurs="0"')).join('');
    const records = Array.from(
      { length: 30 },
      (_, at) => `<xs:complexType name="R${at}">${sequence(wide.replace(`t:R${at}"`, 'xs:int"'))}</xs:complexType>`,
    );
    const imported = await importedFrom({ 'service.wsdl': wsdlText({ ask: sequence(wide), types: records.join('') }) });
    assert.ok(wordsIn(templateOf(imported.find('Ask') ?? assert.fail())) < 10_000);
  });
});

describe('operations --template', () => {
  let service: ImportedService;
  let own: Home;
  before(async () => {
    service = await importedService('urn:t');
    own = home();
    assert.equal((await service.take(wsdl, '--reads', 'Ask')).code, 0);
    service.answer = envelope('1.1', '<AskResponse xmlns="urn:t"/>');
  });
  after(async () => {
    own.remove();
    await service.close();
  });

  it('prints it for an operation that was imported, and for the one that a command calls', async () => {
    const { stdout } = await ends(service.run(['operations', 'Ask', '--template']), 0);
    assert.deepEqual(JSON.parse(stdout), template);
    const ofCommand = await service.run(['operations', 'activity', 'attach', '--template', '-o', 'json']);
    assert.deepEqual(Object.values(JSON.parse(ofCommand.stdout) as object).slice(1), [
      '<guid>',
      '<string; may be left out>',
      '<string; may be left out>',
    ]);
  });

  it('is refused by call with all places that are not filled in, and nothing is sent', async () => {
    await ends(
      service.run(['call', 'Ask', '--input', '-'], { input: JSON.stringify(template) }),
      2,
      /Key, Day, Price, Gone, Ids\[0\], Node\.v, Node\.next, A, B, C still hold a placeholder of the template: replace it with a value, or remove the member\n/,
    );
    const half = { '//': 'x', Key: 5, Day: 'Wed', Node: { '//': 'y', v: '<boolean>' }, A: 1 };
    const some = await service.run(['call', 'Ask', '--input', '-'], { input: JSON.stringify(half) });
    assert.match(
      some.stderr,
      /Node\.v still holds a placeholder of the template: [^;]*\n +Try: relctl operations Ask\n/,
    );
    assert.equal(service.bodies().length, 0);
  });

  it('is sent by call when it is filled in, without its comments', async () => {
    const input = {
      ...template,
      Key: '<string',
      Day: 'tue',
      Price: 1.5,
      Gone: null,
      Ids: [1, 2],
      Node: { '//': 'Node', v: true },
    };
    const { A: _a, B: _b, C: _c, ...rest } = input;
    const { code, stderr } = await service.run(['call', 'Ask', '--param', 'a=4', '--input', '-'], {
      input: JSON.stringify(rest),
    });
    assert.equal(code, 0, stderr);
    assert.equal(
      service.bodies().at(-1),
      '<Ask xmlns="urn:t"><Key>&lt;string</Key><Day>Tue</Day><Price>1.5</Price><Gone xsi:nil="true" /><Ids>1</Ids><Ids>2</Ids><Node><v>true</v></Node><A>4</A></Ask>',
    );
  });

  for (const [args, message] of [
    [['operations', '--template'], /--template needs the name of one operation\n/],
    [
      ['operations', 'relation', 'phone-book', '--template'],
      /'relation phone-book' calls several operations: [^]*Try: relctl operations RelationGetTelephoneBook_V2 --template\n/,
    ],
    [['operations', 'RelationGet', '--template', '-o', 'csv'], /--template prints only JSON\n/],
    [['operations', 'RelationGit', '--template'], /there is no operation 'RelationGit'/],
  ] as const) {
    it(`is a mistake: ${args.join(' ')}`, async () => {
      await ends(relctl(args, { env: own.env }), 2, message, '');
    });
  }

  it('stands beside what operations NAME says of choices, and of what cannot be sent', async () => {
    const { stdout } = await service.run(['operations', 'Ask']);
    assert.match(stdout, /^ {2}B +int +Opt +Give one of A, B with C\.$/m);
    assert.match(
      stdout,
      /^ {2}Tagged +Tagged +Opt +Cannot be sent: the attribute u is required, and relctl sends no attributes\.$/m,
    );
  });
});
