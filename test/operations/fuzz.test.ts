import type { RecordValue, Value } from '../../src/core/values/value.js';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Operation, Type } from '../../src/contract/build.js';
import { PvProductData_V2 } from '../../src/contract/records/product.js';
import { SystemDatastoreType } from '../../src/contract/enumerations.js';
import { dateTime, decimal, guid, int, string } from '../../src/contract/scalars.js';
import { operations } from '../../src/contract/service.js';
import { fieldEntries } from '../../src/contract/walk.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { momentOf } from '../../src/core/text/time/moment.js';
import { fieldCatalogue, type FieldCatalogue } from '../../src/lists/fields/catalogue.js';
import { fieldValuesOf } from '../../src/lists/fields/values.js';
import { wholeOf, guidOf, choiceOf, yesNoOf } from '../../src/kit/flags/readers.js';
import { productChanges, productFlags } from '../../src/topics/products/product-flags.js';
import { lineFlags, lineOf } from '../../src/topics/products/line.js';
import { translationsOf } from '../../src/topics/datastores/translations.js';
import { known } from '../../src/sandbox/dataset/known.js';
import { createEndpoint, type Sandbox } from '../../src/sandbox/sandbox.js';
import { ActivityGetFields } from '../../src/sandbox/handlers/activity.js';
import { writeRequest } from '../../src/soap/wire/request.js';
import { valuesOf } from '../support/cli/values.js';
import { temporarySandbox } from '../support/sandbox/temporary.js';
import { edges, inputOf, typed } from '../support/operations/nearly.js';

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
      const changeable = fieldEntries(PvProductData_V2.fields).filter(([name]) => name !== 'Id');
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
        const result = ActivityGetFields(
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
