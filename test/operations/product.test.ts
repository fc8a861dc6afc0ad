import assert from 'node:assert/strict';
import { UnitType } from '../../src/contract/enumerations.js';
import { PvProductData_V2 } from '../../src/contract/records/product.js';
import { known } from '../../src/sandbox/dataset/known.js';
import { endToEnd, callsIn, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { valuesOf } from '../support/thrown.js';

type Product = Readonly<Record<string, unknown>> & { readonly Id: string; readonly Code?: string };

const { productId, productGroupId } = known;
const columns = Object.keys(PvProductData_V2.fields);
const update = ['product', 'update', '00001'];

describe('The commands about products', () => {
  const here = place();

  /** A product as it is kept, every field as text of the database. */
  const kept = (id = productId): Record<string, unknown> => {
    const names = columns.map((name) => `"${name}"`).join(', ');
    const [row = []] = here.rows(`SELECT ${names} FROM "PvProductData_V2" WHERE "Id" = ?`, id);
    return Object.fromEntries(columns.map((name, at) => [name, row[at]]));
  };
  const price = (name: 'SalesPrice' | 'PurchasePrice', text: string): void =>
    here.execute(`UPDATE "PvProductData_V2" SET "${name}" = '${text}' WHERE "Id" = '${productId}'`);

  endToEnd(here, 'ProductGetAll_V2', {
    works: {
      'product list gives all products with every digit of their prices': async ({ json }) => {
        const listed = await json<Product[]>(['product', 'list']);
        assert.deepEqual(
          valuesOf(listed, 'Id', 'Code', 'SalesPrice', 'PurchasePrice', 'Unit'),
          here.rows('SELECT "Id", "Code", "SalesPrice", "PurchasePrice", "Unit" FROM "PvProductData_V2" ORDER BY seq'),
        );
        const prices = listed.flatMap(({ SalesPrice, PurchasePrice }) => [SalesPrice, PurchasePrice]);
        for (const exact of ['1234567.891234', '0.0001', '99.9500']) assert.ok(prices.includes(exact), exact);
      },
      'product get shows one product, by its code or by its Id': async ({ json, run }) => {
        const [byCode, byId, missing] = await Promise.all([
          json<Product>(['product', 'get', '00001']),
          json<Product>(['product', 'get', productId.toUpperCase()]),
          run(['product', 'get', '0000l']),
        ]);
        assert.equal(byCode.Id, productId);
        assert.deepEqual(byId, byCode);
        assert.deepEqual([missing.code, missing.stdout], [5, '']);
        assert.match(missing.stderr, /there is no product '0000l'/);
      },
    },
    refuses: [
      [['product', 'list', '--group', 'Fietsen'], /--group: 'Fietsen' is not a GUID, .* no group of that name/],
      [['product', 'list', '--columns', 'Id,Price'], /Price/],
      [['product', 'get'], /PRODUCT is missing/],
      [['product', 'get', '00001', '-o', 'xml'], /'xml'/],
    ],
  });

  endToEnd(here, 'ProductGetAllByGroup', {
    works: {
      'product list --group gives the products of that group, with the name of their unit': async ({ json }) => {
        const listed = await json<Product[]>(['product', 'list', '--group', productGroupId]);
        const sql = 'SELECT "Id", "Unit" FROM "PvProductData_V2" WHERE "ProductGroupId" = ? ORDER BY seq';
        const rows = here.rows(sql, productGroupId);
        assert.ok(rows.length > 1);
        assert.deepEqual(
          valuesOf(listed, 'Id', 'UnitType'),
          rows.map(([id, unit]) => [id, UnitType.values[Number(unit)]]),
        );
        assert.ok(listed.every((product) => !Object.hasOwn(product, 'Unit')));
      },
      'product list --group of a group that is not there is exit code 5': async ({ run }) => {
        await ends(run(['product', 'list', '--group', productId]), 5, /There is no product group/);
      },
    },
    refuses: [[['product', 'list', '--group', ''], /--group takes a GUID/]],
  });

  endToEnd(here, 'ProductUpdate_V2', {
    works: {
      'product update changes what is named and sends every other field back digit for digit': async ({
        run,
        soap,
      }) => {
        for (const purchase of ['1234567.891234', '0.0001', '007.500', '-3.75']) {
          price('PurchasePrice', purchase);
          const before = kept();
          const sales = soap === '1.1' ? `${purchase}1` : `${purchase}2`;
          await ends(run([...update, '--sales-price', sales, '--yes']), 0, '', '');
          assert.deepEqual(kept(), { ...before, SalesPrice: sales });
          assert.equal(kept()['PurchasePrice'], purchase);
        }
      },
      'product update changes texts, choices and switches, and leaves other products alone': async ({ run, soap }) => {
        const others = here.rows('SELECT * FROM "PvProductData_V2" WHERE "Id" <> ? ORDER BY seq', productId);
        const before = kept();
        const name = ` Fiets "é" <&> ${soap} `;
        const isDivisible = soap === '1.1';
        const changed = await run([
          ...['product', 'update', productId, '--name', name, '--description', '', '--product-type', 'serv'],
          ...['--unit', '0', '--is-divisible', String(isDivisible), '--yes'],
        ]);
        assert.deepEqual([changed.code, changed.stderr], [0, '']);
        const next = { Name: name, Description: '', ProductType: 'Service', Unit: 0, IsDivisible: isDivisible ? 1 : 0 };
        assert.deepEqual(kept(), { ...before, ...next });
        assert.deepEqual(here.rows('SELECT * FROM "PvProductData_V2" WHERE "Id" <> ? ORDER BY seq', productId), others);
      },
    },
    refuses: [
      [update, /there is nothing to change/],
      [[...update, '--sales-price', '1.234,50', '--yes'], /--sales-price takes a decimal number.*'1\.234,50'/],
      [[...update, '--sales-price', '12,50', '--yes'], /--sales-price .*\n.*--sales-price 12\.50/],
      [[...update, '--product-type', 'Produkt', '--yes'], /--product-type takes one of Product, Service.*\n.*Product/],
      [[...update, '--is-inactive', 'ja', '--yes'], /--is-inactive takes true or false/],
      [[...update, '--sales-vat-id', 'H', '--yes'], /--sales-vat-id: 'H' is not a GUID, .* no vat-rate of that name/],
      [[...update, '--unit', 'Piece', '--yes'], /--unit takes a whole number/],
      [[...update, '--id', productId, '--yes'], /unknown flag --id/],
      [[...update, '--name', 'x', '--yes', '-o', 'jsn'], /'jsn'/],
    ],
  });

  describe('product update', () => {
    it('shows the difference and, without a terminal and without --yes, writes nothing', async () => {
      price('SalesPrice', '12.50');
      const before = here.digest();
      const trace = here.fresh('trace');
      const run = await here.run([...update, '--sales-price', '12.75', `--trace=${trace}`]);
      assert.deepEqual([run.code, run.stdout], [2, '']);
      assert.match(
        run.stderr,
        /SalesPrice: "12\.50" -> "12\.75"\nError: 1 field changes; relctl will not change product 00001 .* without confirmation\n.*--yes/,
      );
      assert.deepEqual(valuesOf(callsIn(trace), 'operation'), ['ProductGetAll_V2']);
      assert.equal(here.digest(), before);
    });

    it('sends nothing when nothing would change, and says so', async () => {
      price('SalesPrice', '12.50');
      const trace = here.fresh('trace');
      const run = await here.run([...update, '--sales-price', '12.50', '--yes', `--trace=${trace}`]);
      assert.equal(run.code, 0);
      assert.match(run.stderr, /^Note: nothing changes in product 00001/);
      assert.equal(callsIn(trace).length, 1);
    });

    it('says once in a dry run that nothing would change', async () => {
      price('SalesPrice', '12.50');
      const run = await here.run([...update, '--sales-price', '12.50', '--dry-run', '-o', 'table']);
      assert.deepEqual([run.code, run.stdout], [0, '']);
      assert.deepEqual(run.stderr.match(/nothing changes/gi), ['Nothing changes']);
    });

    it('is exit code 5 for a product that is not there, and 2 for a code that several have', async () => {
      await ends(here.run(['product', 'update', 'no-such', '--name', 'x', '--yes']), 5);
      here.execute(`UPDATE "PvProductData_V2" SET "Code" = 'twice' WHERE seq IN (2, 3)`);
      const twice = await here.run(['product', 'update', 'twice', '--name', 'x', '--yes']);
      assert.equal(twice.code, 2);
      assert.match(twice.stderr, /several products have the code 'twice'/);
    });
  });
});
