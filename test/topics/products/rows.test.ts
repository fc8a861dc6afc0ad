import assert from 'node:assert/strict';
import type { CallOptions } from '../../../src/client/call.js';
import type { BatchContext } from '../../../src/writes/rows/rows-text.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { FreshProducts, ProductList } from '../../../src/topics/products/rows.js';

const id = (number: number): string => `0000000${number}-0061-4000-8000-000000000001`;
const product = (number: number, more: RecordValue = {}): RecordValue => ({
  Id: id(number),
  Code: `P${number}`,
  SalesPrice: '0.10',
  ...more,
});

describe('Two readings of the products', () => {
  const list = new ProductList([product(1), product(2)], 0);

  it('share a product of which nothing has changed, in any case of its Id', () => {
    assert.equal(list.asBefore(product(2)), list.byId(id(2)));
    const upper = new ProductList([product(3, { Id: id(3).toUpperCase() })], 0);
    assert.equal(upper.asBefore(product(3, { Id: id(3).toUpperCase() })), upper.byId(id(3)));
  });

  const others: readonly (readonly [string, RecordValue])[] = [
    ['a text that has changed', product(1, { Code: 'p1' })],
    ['a number that is spelt in another way', product(1, { SalesPrice: '0.1' })],
    ['a value that is gone', product(1, { SalesPrice: null })],
    ['a member more', product(1, { Name: null })],
    ['a member less', { Id: id(1), Code: 'P1' }],
    ['another member', { Id: id(1), Code: 'P1', PurchasePrice: '0.10' }],
    ['members in another order', { Code: 'P1', Id: id(1), SalesPrice: '0.10' }],
    ['an Id in another case of letters', product(1, { Id: 'ABCDEF01-0061-4000-8000-000000000001' })],
    ['an Id that is new', product(4)],
  ];
  for (const [what, now] of others)
    it(`have each its own product with ${what}`, () => {
      const known = new ProductList([product(1), product(5, { Id: 'abcdef01-0061-4000-8000-000000000001' })], 0);
      assert.equal(known.asBefore(now), now);
    });

  it('are taken one by one as they are read', async () => {
    let price = '1.00';
    const callUntyped = (_operation: unknown, _input: unknown, { rows }: CallOptions = {}): Promise<unknown> => {
      const keep = rows?.().of ?? ((record: RecordValue) => record);
      const Products = [product(1), product(2, { SalesPrice: price })].map(keep);
      return Promise.resolve({ result: { Products }, notes: [] });
    };
    const context = { clock: { nowMs: () => 0 } };
    const products = new FreshProducts({
      context,
      session: { client: { callUntyped } },
      flags: {},
    } as unknown as BatchContext);
    const first = await products.fresh();
    price = '2.00';
    const second = await products.renewed();
    assert.equal(second.byId(id(1)), first.byId(id(1)));
    assert.deepEqual([first.byId(id(2))?.['SalesPrice'], second.byId(id(2))?.['SalesPrice']], ['1.00', '2.00']);
    assert.equal(products.first, first);
    assert.equal(products.list, second);
  });
});
