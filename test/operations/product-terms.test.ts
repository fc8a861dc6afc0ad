import assert from 'node:assert/strict';
import { known, knownId } from '../../src/sandbox/dataset/known.js';
import { callsIn, place } from '../support/operations/place.js';
import { ends, program } from '../support/relctl.js';
import { needs } from '../support/skip.js';
import { openTerminal } from '../support/terminal.js';

const { activityId, productId, subscriptionId } = known;
const add = ['activity', 'add-line', activityId, '--quantity', '2'];
const read = 'ProductGetAll_V2';
const write = 'ActivityAddProductLine';

describe('A product line that takes what flags do not give from the product', () => {
  const here = place();
  const kept = (id: string): readonly unknown[] =>
    here.rows('SELECT "Amount", "PurchaseAmount", "VatId", "ProductId" FROM "ProductLineData" WHERE "Id" = ?', id)[0] ??
    [];
  const terms = (code: string): readonly unknown[] => {
    const columns = '"SalesPrice", "PurchasePrice", "SalesVatId", "Id"';
    return here.rows(`SELECT ${columns} FROM "PvProductData_V2" WHERE "Code" = ?`, code)[0] ?? [];
  };
  const set = (code: string, change: string): void =>
    here.execute(`UPDATE "PvProductData_V2" SET ${change} WHERE "Code" = '${code}'`);
  const traced = async (args: readonly string[]): Promise<{ code: number | null; stderr: string; calls: string[] }> => {
    const trace = here.fresh('trace');
    const { code, stderr } = await here.run([...args, `--trace=${trace}`]);
    return { code, stderr, calls: callsIn(trace).map(({ operation }) => operation) };
  };

  for (const [price, purchase] of [
    ['1234567890123456789.123456789', '0.10'],
    ['00012.5000', '-0.000'],
    ['0', '9007199254740993'],
  ] as const) {
    it(`copies ${price} and ${purchase} to the letter, by the code and by the Id`, async () => {
      set('00003', `"SalesPrice" = '${price}', "PurchasePrice" = '${purchase}', "IsSalesPriceInclusiveVat" = 0`);
      const [, , vat, id] = terms('00003');
      for (const product of ['00003', String(id), `{${String(id).toUpperCase()}}`]) {
        const made = await here.json<{ Id: string }>([...add, '--product', product]);
        assert.deepEqual(kept(made.Id), [price, purchase, vat, id]);
      }
      const period = ['subscription', 'add-line', subscriptionId, '--quantity', '1', '--period', '3'];
      const made = await here.json<{ Id: string }>([...period, '--product', '00003']);
      assert.deepEqual(kept(made.Id), [price, purchase, vat, id]);
    });
  }

  it('takes what flags give instead, each by itself', async () => {
    set('00003', `"SalesPrice" = '10', "PurchasePrice" = '5', "IsSalesPriceInclusiveVat" = 0`);
    const [, , vat, id] = terms('00003');
    const other = knownId('vat', 1);
    const made = async (...more: string[]): Promise<readonly unknown[]> =>
      kept((await here.json<{ Id: string }>([...add, '--product', '00003', ...more])).Id);
    assert.notEqual(vat, other);
    assert.deepEqual(await made('--amount', '7.70'), ['7.70', '5', vat, id]);
    assert.deepEqual(await made('--purchase-amount', '0'), ['10', '0', vat, id]);
    assert.deepEqual(await made('--vat', other), ['10', '5', other, id]);
    assert.deepEqual(await made('--vat', other, '--amount', '1', '--purchase-amount', '2'), ['1', '2', other, id]);
  });

  it('reads nothing when all is given with an Id', async () => {
    const all = ['--vat', knownId('vat', 1), '--amount', '1', '--purchase-amount', '2'];
    assert.deepEqual((await traced([...add, '--product', productId, ...all])).calls, [write]);
    assert.deepEqual((await traced([...add, '--product', '00003', ...all])).calls, [read, write]);
    assert.deepEqual((await traced([...add, '--product', productId, ...all.slice(2)])).calls, [read, write]);
  });

  it('is shown by a dry run, which reads and writes nothing, with what was taken', async () => {
    set('00003', `"SalesPrice" = '10.10', "PurchasePrice" = '5'`);
    const [, , vat, id] = terms('00003');
    const before = here.digest();
    const { stdout, stderr } = await ends(here.run([...add, '--product', '00003', '--envelope']), 0);
    assert.match(
      stdout,
      new RegExp(`<productId>${String(id)}</productId><vatId>${String(vat)}</vatId><amount>10.10</amount>`),
    );
    const ofProduct = ['price 10.10', 'purchase price 5', `VAT rate ${String(vat)}`];
    const notes = [
      `${/product 00003 .* is /.exec(stderr)?.[0] ?? ''}${String(id)}`,
      ...ofProduct.map((each) => `${each}, from the product`),
      'relctl called ProductGetAll_V2 for it',
    ];
    assert.equal(stderr, notes.map((each) => `Note: ${each}\n`).join(''));
    assert.deepEqual((await traced([...add, '--product', '00003', '--envelope'])).calls, [read]);
    assert.equal(here.digest(), before);
  });

  it('tells that a price contains VAT, also without a terminal, where the price is taken', async () => {
    set('00003', `"IsSalesPriceInclusiveVat" = 1`);
    const told = await here.run([...add, '--product', '00003', '--yes']);
    assert.match(told.stderr, /^Note: the price of product 00003 .* includes VAT; .* is not documented\n$/);
    assert.equal((await here.run([...add, '--product', '00003', '--amount', '1'])).stderr, '');
    assert.equal((await here.run([...add, '--product', '00003', '--quiet'])).stderr, '');
    set('00003', `"IsSalesPriceInclusiveVat" = 0`);
  });

  it('is not made of a product that is not there, that is not the only one, or that lacks something', async () => {
    set('00009', `"SalesVatId" = '00000000-0000-0000-0000-000000000000'`);
    set('00010', `"Code" = '00011'`);
    const before = here.digest();
    const cases: readonly (readonly [product: string, code: number, says: RegExp])[] = [
      ['0003', 5, /there is no product '0003'\n.*\n {2}Try: relctl activity add-line .*--product 0000?3/],
      [knownId('product', 9999), 5, /there is no product/],
      ['00011', 2, /several products have the code '00011'/],
      ['00009', 2, /product 00009 .* has no VAT rate: set it with --vat/],
    ];
    for (const [product, code, says] of cases) {
      await ends(here.run([...add, '--product', product, '--yes', '--no-input']), code, says);
    }
    assert.equal(here.digest(), before);
  });

  describe('in a terminal', () => {
    before(async function () {
      needs(this, 'tmux');
      await ends(here.run(['profile', 'edit', 'local', '--set', 'protected=yes']), 0);
    });

    for (const [what, change, status] of [
      ['is written when the answer is yes', '', 0],
      ['is not written when the price changed meanwhile', `"SalesPrice" = '99'`, 13],
    ] as const) {
      it(what, async () => {
        set('00003', `"SalesPrice" = '10.10', "IsSalesPriceInclusiveVat" = 0`);
        const lines = here.rows('SELECT count(*) FROM "ProductLineData"')[0]?.[0];
        const terminal = openTerminal([process.execPath, program, ...add, '--product', '00003'], here.env);
        try {
          const asked = (await terminal.until(/Really/)).replaceAll(/\s+/g, ' ');
          assert.match(asked, /price 10\.10, from the product.*Really add/);
          if (change !== '') set('00003', change);
          terminal.type('y');
          terminal.press('Enter');
          const shown = (await terminal.until(/Pane is dead/)).replaceAll(/\s+/g, ' ');
          assert.match(shown, new RegExp(`status ${status},`));
          if (status === 13) assert.match(shown, /nothing was sent: amount was 10\.10, is 99/);
          const now = here.rows('SELECT count(*) FROM "ProductLineData"')[0]?.[0];
          assert.equal(Number(now) - Number(lines), status === 0 ? 1 : 0);
        } finally {
          terminal.close();
        }
      });
    }
  });
});
