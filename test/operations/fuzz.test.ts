import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { RecordValue, Value } from '../../src/core/values/value.js';
import type { Fields, Operation, ScalarName, Type } from '../../src/contract/build.js';
import { emptyId, known } from '../../src/sandbox/dataset/known.js';
import { valueOf } from '../support/soap/arbitraries.js';
import { PvProductData_V2 } from '../../src/contract/records/product.js';
import { SystemDatastoreType } from '../../src/contract/enumerations.js';
import { dateTime, decimal, guid, int, string } from '../../src/contract/scalars.js';
import { operations } from '../../src/contract/service.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { momentOf } from '../../src/core/text/time/moment.js';
import { fieldCatalogue, type FieldCatalogue, fieldValuesOf } from '../../src/lists/fields/catalogue.js';
import { wholeOf, guidOf, choiceOf, yesNoOf } from '../../src/kit/flags/readers.js';
import { productChanges, productFlags } from '../../src/topics/products/product-flags.js';
import { lineFlags, lineOf } from '../../src/topics/products/line.js';
import { translationsOf } from '../../src/topics/datastores/translations.js';
import { createEndpoint, type Sandbox } from '../../src/sandbox/sandbox.js';
import { activityHandlers } from '../../src/sandbox/handlers/activity.js';
import { writeRequest } from '../../src/soap/wire/request.js';
import { valuesOf } from '../kit/flags/values.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';
import { argv } from '../support/argv.js';

/** Ids that stand for something in the sandbox, so that some requests come further than the first look-up. */
const knownIds = Object.values(known).filter((id) => typeof id === 'string');

const guids = [
  ...knownIds,
  emptyId,
  '',
  'x',
  '00000000-0000-4000-8000-00000000010',
  '00000000-0000-4000-8000-0000000001011',
  '{00000000-0000-4000-8000-000000000101}',
  '00000000000040008000000000000101',
  ' 00000000-0000-4000-8000-000000000101',
  '00000000-0000-4000-8000-00000000010g',
];
const wholes = [
  0,
  -0,
  1,
  -1,
  1.5,
  NaN,
  Infinity,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  -(2 ** 31) - 1,
  32768,
  2 ** 53,
  '1',
];
const decimals = [
  ...['0', '-0', '.5', '5.', '+1.50', '1e3', '1,5', '', '.', '1.2.3', ' 1', '٣', '1_000', 'NaN', 1.5],
  '9'.repeat(40),
];
const dateTimes = argv`
  2026-01-31T00:00:00 2026-02-29T00:00:00 2024-02-29T23:59:59.9999999Z 2026-01-31T24:00:00 2026-01-31T00:00:60
  2026-01-31 2026-01-31T00:00 2026-1-31T00:00:00 0000-01-01T00:00:00 -0001-01-01T00:00:00 12026-01-01T00:00:00Z
  2026-01-31T00:00:00+14:00 2026-01-31T00:00:00+14:01 2026-01-31T00:00:00z "2026-01-31 00:00:00"
  9999-12-31T23:59:59.9999999
`;
const texts = [
  ...['', ' ', '\u0000', '\u001f', '\ufffe', '\ud800', '\udc00x', '\u{1f35e}', ']]>', '&#0;', '<a/>', '\r\n'],
  '\u0085',
];

/** Values of scalars that are right, nearly right, or just wrong. */
const edges: Readonly<Record<ScalarName, readonly Value[]>> = {
  guid: guids,
  string: texts,
  int: wholes,
  short: wholes,
  long: ['0', '9223372036854775807', '9223372036854775808', '-9223372036854775809', '1.0', '', 1],
  decimal: decimals,
  dateTime: dateTimes,
  boolean: [true, false, 'true', 1, 0, ''],
  anyType: texts,
};

/** Of any type, for a member that has another. */
const foreign: fc.Arbitrary<Value> = fc.constantFrom<Value>(null, '', 'x', 0, true, [], {}, [null], { Id: 'x' }, [{}]);

/** Right values, and now and then one that is nearly right. */
function nearly(type: Type): fc.Arbitrary<Value> {
  const wrong = { weight: 1, arbitrary: foreign };
  switch (type.kind) {
    case 'scalar':
      return fc.oneof(
        { weight: 20, arbitrary: type.name === 'guid' ? fc.constantFrom(...knownIds) : valueOf(type, 'request') },
        { weight: 4, arbitrary: fc.constantFrom(...edges[type.name]) },
        wrong,
      );
    case 'enumeration': {
      const [first = ''] = type.values;
      const close = [first.toLowerCase(), `${first} `, first.slice(1), ''];
      return fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...type.values) }, wrong, fc.constantFrom(...close));
    }
    case 'list':
      return fc.oneof({ weight: 20, arbitrary: fc.array(nearly(type.item), { maxLength: 3 }) }, wrong);
    case 'record':
      return fc.oneof({ weight: 30, arbitrary: members(type.fields) }, wrong);
  }
}

function members(fields: Fields): fc.Arbitrary<RecordValue> {
  const entries = Object.entries(fields);
  const optional = entries.filter(([, { presence }]) => presence === 'opt').map(([name]) => name);
  const given = fc.record(Object.fromEntries(entries.map(([name, { type }]) => [name, nearly(type)])));
  const names = entries.map(([name]) => name);
  const slips = fc.constantFrom<(value: Record<string, Value>) => RecordValue>(
    ...names.map(
      (name) =>
        (value: Record<string, Value>): RecordValue =>
          without(value, [name]),
    ),
    ...names.map((name) => (value: Record<string, Value>): RecordValue => ({ ...value, [name.toUpperCase()]: 'x' })),
    (value) => ({ ...value, toString: 'x' }),
  );
  return fc
    .tuple(given, fc.subarray(optional), fc.oneof({ weight: 11, arbitrary: fc.constant(null) }, slips))
    .map(([value, left, slip]) => (slip ?? ((each) => each))(without(value, left)));
}

const without = (value: Record<string, Value>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** Input of an operation, most of it right. */
const inputOf = (operation: Operation): fc.Arbitrary<RecordValue> => members(operation.parameters);

/** Text as somebody might type it for a value of a type: right, nearly right, or anything. */
function typed(type: Type): fc.Arbitrary<string> {
  const right =
    type.kind === 'scalar' && type.name === 'guid' ? fc.constantFrom(...knownIds) : valueOf(type, 'request');
  const close = type.kind === 'scalar' ? edges[type.name] : ['', 'x'];
  const short = type.kind === 'enumeration' ? type.values.map((value) => value.slice(0, 3).toLowerCase()) : ['-1'];
  return fc
    .oneof(
      { weight: 6, arbitrary: right },
      { weight: 2, arbitrary: fc.constantFrom(...close) },
      fc.constantFrom(...short),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    .map(String);
}

const namespace = 'http://relctl.example/sandbox';
const credentials: RecordValue = { ...known.credentials };
const all = Object.values<Operation>(operations);

/** How the service took a request: it was not well-formed, or its parameters were not, or it was carried out or refused. */
type Taken = 'malformed' | 'defect' | 'carried out';

describe('Whatever is accepted here', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(20);
    // Nothing that is written here has to outlive a power cut.
    sandbox.store.execute('PRAGMA synchronous = OFF');
  });
  after(() => sandbox.close());

  const send = async (
    operation: Operation,
    input: RecordValue,
    version: '1.1' | '1.2',
  ): Promise<readonly [Taken, string]> => {
    const url = '/V1/service.asmx';
    const answer = await createEndpoint(sandbox)(
      writeRequest({ operation, input, credentials, namespace, version, url }),
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (!text.includes('<soap:Fault>')) return ['carried out', text];
    // A refusal of the operation has a code of its own.
    if (/<faultcode xmlns:q0=|<soap:Subcode>/.test(text)) return ['carried out', text];
    return [/soap:(?:Server|Receiver)/.test(text) ? 'defect' : 'malformed', text];
  };

  /** Sends what is accepted; what is refused must be a mistake of usage that names where it is. */
  const accepted = async (
    operation: Operation,
    make: () => RecordValue,
    { version = '1.2', names }: { version?: '1.1' | '1.2'; names: RegExp },
  ): Promise<string | undefined> => {
    let taken: readonly [Taken, string];
    try {
      taken = await send(operation, make(), version);
    } catch (thrown) {
      assert.ok(thrown instanceof RelctlError, String(thrown));
      assert.equal(thrown.kind, 'usage', thrown.message);
      assert.match(thrown.facts.path ?? '', names);
      assert.ok(thrown.message.includes(thrown.facts.path ?? '?'), thrown.message);
      return undefined;
    }
    assert.equal(taken[0], 'carried out', taken[1]);
    return taken[1];
  };

  describe('as the input of an operation is taken by the strict service', () => {
    for (const operation of all) {
      it(operation.name, async () => {
        let sent = 0;
        const version = fc.constantFrom('1.1' as const, '1.2' as const);
        await fc.assert(
          fc.asyncProperty(inputOf(operation), version, async (input, soap) => {
            const names = /^[A-Za-z]\w*(?:\[\d+\])?(?:\.\w+(?:\[\d+\])?)*$/;
            const answer = await accepted(operation, () => input, { version: soap, names });
            if (answer !== undefined) sent += 1;
          }),
          { numRuns: 200 },
        );
        assert.ok(sent > 3, `${sent} of 200 were sent`);
      });
    }
  });

  describe('from the flags of a command is taken by the strict service', () => {
    /** Text for each flag; the property makes the input as the command does. */
    const commands = (
      title: string,
      operation: Operation,
      types: Readonly<Record<string, Type>>,
      make: (given: Readonly<Record<string, string>>) => RecordValue,
    ): void => {
      it(title, async () => {
        let sent = 0;
        const given = fc.record(Object.fromEntries(Object.entries(types).map(([name, type]) => [name, typed(type)])));
        await fc.assert(
          fc.asyncProperty(given, async (texts) => {
            const answer = await accepted(operation, () => make(texts), { names: /^(?:--[a-z-]+|[A-Z-]+|\w.*)$/ });
            if (answer !== undefined) sent += 1;
          }),
          { numRuns: 250 },
        );
        assert.ok(sent > 3, `${sent} of 600 were sent`);
      });
    };

    const place = { nowMs: Date.parse('2026-03-29T00:30:00Z'), zone: 'Europe/Amsterdam' };
    const readTime = (text: string, flag: string): string => {
      const found = momentOf(text, place);
      if (found !== undefined) return found;
      throw new RelctlError('usage', `${flag} takes a time`, { facts: { path: flag } });
    };
    const times = ['now', 'today', '-7d', '+2h', '2026-03-29', '2026-03-29T02:30', '2026-03-29 02:30:00.5'];

    const line = { product: guid, quantity: decimal, amount: decimal, 'purchase-amount': decimal, vat: guid };
    const lineInput = (texts: Readonly<Record<string, string>>): RecordValue => {
      const flags = valuesOf(lineFlags, texts);
      return { ...lineOf(flags, { productId: guidOf(flags.product, '--product') }) };
    };

    commands(
      'activity add-line',
      operations.ActivityAddProductLine,
      { id: guid, ...line, description: string },
      ({ id = '', description = '', ...rest }) => ({ activityId: guidOf(id, 'ID'), ...lineInput(rest), description }),
    );
    commands(
      'subscription add-line',
      operations.SubscriptionAddProductLine,
      { ...line, period: int },
      ({ period = '', ...rest }) => ({
        activityId: '00000000-0020-4000-8000-000000000003',
        ...lineInput(rest),
        period: wholeOf(period, '--period', { least: -(2 ** 31), most: 2 ** 31 - 1 }),
      }),
    );
    commands(
      'datastore system',
      operations.SystemDatastoreGetItems,
      { type: SystemDatastoreType },
      ({ type = '' }) => ({ systemDatastoreType: choiceOf(type, 'TYPE', SystemDatastoreType.values) }),
    );
    commands('datastore items', operations.DatastoreGetWithParentItems_V2, { id: guid, yes: string }, (texts) => ({
      entityTypeId: guidOf(texts['id'] ?? '', 'ENTITY-TYPE'),
      includeTranslations: yesNoOf(texts['yes'] === '' ? 'yes' : 'no', '--translations'),
    }));
    commands(
      'relation activities',
      operations.RelationGetActivitiesModified_V2,
      { from: dateTime, id: guid },
      (texts) => ({
        pageNumber: 1,
        pageSize: 10,
        relationId: guidOf(texts['id'] ?? '', 'ID'),
        from: readTime(texts['from'] ?? '', '--from'),
        to: '9999-12-31T00:00:00',
        includeFields: false,
        includeCounters: true,
      }),
    );

    it('product update, with one flag at a time', async () => {
      const changeable = Object.entries(PvProductData_V2.fields).filter(([name]) => name !== 'Id');
      const flags = changeable.map(([name, { type }]) => {
        const flag = name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
        return typed(type).map((text) => [flag, text] as const);
      });
      const product: RecordValue = {
        Id: known.productId,
        ProductGroupId: known.productGroupId,
        ProductType: 'Product',
        Unit: 0,
        IsDivisible: false,
        SalesPrice: '1234567.891234',
        IsSalesPriceInclusiveVat: false,
        SalesVatId: known.vatId,
        PurchasePrice: '0.0001',
        IsInactive: false,
        AllowChangePrice: false,
        AllowChangeDescription: false,
        AllowChangeVat: false,
        AutoEnableEdit: false,
      };
      await fc.assert(
        fc.asyncProperty(fc.oneof(...flags), async ([flag, text]) => {
          const make = (): RecordValue => ({
            productData: { ...product, ...productChanges(valuesOf(productFlags, { [flag]: text })) },
          });
          await accepted(operations.ProductUpdate_V2, make, { names: new RegExp(`^--${flag}$|^productData\\.\\w+$`) });
        }),
        { numRuns: 250 },
      );
    });

    it('datastore create-item, with --translation and --field', async () => {
      const languages = fc.constantFrom('nl-NL', 'de', 'zh-Hans', 'nl', 'NL', '', 'e', 'en-us', 'nl_NL');
      const translations = fc.array(
        fc.oneof(
          { weight: 4, arbitrary: fc.tuple(languages, typed(string)).map((parts) => parts.join('=')) },
          fc.string(),
        ),
        { maxLength: 2 },
      );
      const catalogue = fieldCatalogue({ aliases: { naam: '00000000-0041-4000-8000-000000002101' } });
      const fields = fc.array(
        fc.tuple(fc.constantFrom('naam', 'name', '00000000-0041-4000-8000-000000002102', ''), typed(string)),
        { maxLength: 2 },
      );
      await fc.assert(
        fc.asyncProperty(translations, fields, async (given, values) => {
          const make = (): RecordValue => ({
            entityTypeId: known.datastoreEntityTypeId,
            fieldValues: fieldValuesOf(
              values.map((parts) => parts.join('=')),
              { catalogue, use: 'write', readTime },
            ),
            translations: translationsOf(given) ?? [],
          });
          await accepted(operations.DatastoreCreateItem_V3, make, {
            names: /^--(?:translation|field)$|^(?:fieldValues|translations)\[\d\]\.Value$/,
          });
        }),
        { numRuns: 250 },
      );
    });

    describe('with the fields of a workflow, and so are their values', () => {
      let catalogue: FieldCatalogue;
      let names: readonly string[];
      before(() => {
        const result = activityHandlers.ActivityGetFields(
          { ...sandbox, userId: known.userId, place: () => undefined },
          { workflowId: known.workflowId },
        );
        const fields = (result.Fields ?? []).filter((field) => field !== null);
        catalogue = fieldCatalogue({ aliases: {}, fields });
        names = fields.flatMap(({ Id, Name, Label }) => [Id ?? '', Name ?? '', Label ?? '']);
      });

      const values: fc.Arbitrary<string> = fc.oneof(
        ...[guid, decimal, dateTime, int, string].map(typed),
        fc.constantFrom(
          ...times,
          ...edges.decimal.map(String),
          'x'.repeat(200),
          'x'.repeat(201),
          '\u{1f35e}'.repeat(150),
        ),
      );

      for (const [title, operation, use] of [
        ['activity update', operations.ActivityUpdate, 'write'],
        ['activity search', operations.ActivitySearchByField, 'search'],
      ] as const) {
        it(title, async () => {
          const place = fc.nat({ max: 20 });
          const given = fc.array(fc.tuple(place, values), { minLength: 1, maxLength: 2 });
          let sent = 0;
          await fc.assert(
            fc.asyncProperty(given, async (pairs) => {
              const texts = pairs.map(([at, value]) => `${names[at] ?? 'x'}=${value}`);
              const fieldValues = (): Value => [...fieldValuesOf(texts, { catalogue, use, readTime })];
              const own: RecordValue =
                use === 'write'
                  ? { activityId: known.activityId }
                  : {
                      activityEntityTypeId: known.activityEntityTypeId,
                      pageNumber: 1,
                      pageSize: 1,
                      includeFields: false,
                      includeCounters: false,
                    };
              const make = (): RecordValue => ({ ...own, fieldValues: fieldValues() });
              const answer = await accepted(operation, make, { names: /^--field$|^fieldValues\[\d\]\.Value$/ });
              if (answer === undefined) return;
              sent += 1;
              // Which choices there are is the only thing that a description does not say.
              const refusal = /<ErrorInformation>(.*)<\/ErrorInformation>/s.exec(answer)?.[1];
              if (refusal !== undefined) assert.match(refusal, /has no choice/);
            }),
            { numRuns: 250 },
          );
          assert.ok(sent > 20, `${sent} of 600 were sent`);
        });
      }
    });
  });
});
