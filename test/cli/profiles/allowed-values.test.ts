import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerOf, called } from '../../support/called.js';
import { ends, home, relctl, type Home, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

const id = '00000000-0060-4000-8000-000000000001';
const allowing = { RELCTL_ALLOWED_VALUES: 'producttype=Bundle, SystemDatastoreType=Country' };

/** A page of one product of a type; the next is empty. */
const product = (type: string): string =>
  `<Products><PvProductData_V2><Id>${id}</Id><ProductGroupId>${id}</ProductGroupId><Code>1</Code><Name>a</Name><ProductType>${type}</ProductType><Unit>1</Unit><IsDivisible>true</IsDivisible><SalesPrice>1</SalesPrice><IsSalesPriceInclusiveVat>true</IsSalesPriceInclusiveVat><SalesVatId>${id}</SalesVatId><PurchasePrice>1</PurchasePrice><IsInactive>false</IsInactive><AllowChangePrice>true</AllowChangePrice><AllowChangeDescription>true</AllowChangeDescription><AllowChangeVat>true</AllowChangeVat><AutoEnableEdit>true</AutoEnableEdit></PvProductData_V2></Products>`;

describe('A value of an enumeration that the profile allows', () => {
  let place: Home;
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> =>
    relctl(args, { env: { ...place.env, ...env } });
  const update = (...args: readonly string[]): readonly string[] =>
    argv`product update ${args} --dry-run --profile sandbox`;

  before(() => (place = home()));
  after(() => place.remove());

  it('is sent as the service spells it, in any case of letters, and refused without the profile', async () => {
    const args = update(id, '--product-type', 'bundle');
    await ends(run(args), 2, /^Error: --product-type takes one of Product, Service, not 'bundle'$/m);
    const sent = await ends(run(args, allowing), 0);
    assert.match(sent.stdout, /ProductType +Product +Bundle/);
    const near = await run(update(id, '--product-type', 'Bundel'), allowing);
    assert.match(near.stderr, /takes one of Product, Service, Bundle, not 'Bundel'/);
  });

  it('is taken by rows of a file, by call, and as an argument', async () => {
    const file = join(place.folder, 'rows.csv');
    writeFileSync(file, `Id,ProductType\n${id},bundle\n`);
    const rows = update('--file', file, '--no-base', '-o', 'json');
    const refused = await run(rows);
    assert.match(refused.stderr + refused.stdout, /one of Product, Service, not 'bundle'/);
    const { stdout } = await ends(run(rows, allowing), 0);
    assert.match(stdout, /Bundle/);
    const call = ['call', 'SystemDatastoreGetItems', '--param', 'systemDatastoreType=country', '--envelope'];
    for (const args of [call, ['datastore', 'system', 'country', '--envelope']]) {
      const line = [...args, '--profile', 'sandbox'];
      assert.equal((await run(line)).code, 2);
      const sent = await ends(run(line, allowing), 0);
      assert.match(sent.stdout, /<systemDatastoreType>Country<\/systemDatastoreType>/);
    }
  });

  it('is read without a word, and one that is not allowed is kept and told of as before', async () => {
    const args = ['product', 'list', '--limit', '1', '-o', 'csv', '--columns', 'ProductType'];
    const quiet = await called(answerOf('ProductGetAll_V2', product('Bundle')), args, { env: allowing });
    assert.equal(quiet.stdout, 'ProductType\nBundle\n', quiet.stderr);
    const told = await called(answerOf('ProductGetAll_V2', product('Kit')), args, { env: allowing });
    assert.equal(told.stdout, 'ProductType\nKit\n', told.stderr);
    assert.ok(told.stderr.length > quiet.stderr.length, told.stderr);
  });

  it('is a value that --where compares with', async () => {
    const args = argv`product list --limit 1 --where "ProductType = 'Bundle'" -o csv --columns Code`;
    const bare = await called(answerOf('ProductGetAll_V2', product('Bundle')), args);
    assert.equal(bare.code, 2);
    assert.match(bare.stderr, /the values of ProductType are Product, Service/);
    const found = await called(answerOf('ProductGetAll_V2', product('Bundle')), args, { env: allowing });
    assert.deepEqual([found.code, found.stdout], [0, 'Code\n1\n'], found.stderr);
  });

  it('is kept with others, completed, described, and taken away', async () => {
    const base = ['--base-url', 'http://127.0.0.1:9', '--namespace', 'urn:x'];
    await ends(run(['profile', 'add', 'p', ...base, '--set', 'allowedValues=producttype=Bundle', '--use']), 0);
    const both = 'allowedValues=ProductType=Bundle,ProductType=Kit';
    assert.equal((await run(['profile', 'edit', 'p', '--set', both])).code, 0);
    const kept = (): unknown =>
      (
        JSON.parse(readFileSync(join(place.folder, 'config/relctl/config.json'), 'utf8')) as {
          profiles: { p: { allowedValues?: unknown } };
        }
      ).profiles.p.allowedValues;
    assert.equal(kept(), 'ProductType=Bundle,ProductType=Kit');
    const offered = await run(['autocomplete', 'fish', '--line=relctl product update x --product-type ']);
    assert.deepEqual(offered.stdout.trim().split('\n'), ['words', 'Product', 'Service', 'Bundle', 'Kit']);
    const described = await run(['operations', 'ProductUpdate_V2']);
    assert.match(described.stdout, /Product, Service, Bundle, Kit/);
    assert.equal((await run(['profile', 'edit', 'p', '--unset', 'allowedValues'])).code, 0);
    assert.equal(kept(), undefined);
  });

  const mistakes: readonly (readonly [text: string, says: RegExp])[] = [
    ['Bundle', /--set allowedValues takes an enumeration and a value of it, such as UnitType=Pallet, not 'Bundle'/],
    ['ProductTyp=Bundle', /--set allowedValues: there is no enumeration 'ProductTyp'/],
    ['ProductType=', /takes an enumeration and a value of it/],
    ['ProductType=a,b', /takes an enumeration and a value of it/],
    ['ProductType= a', /takes an enumeration and a value of it/],
  ];
  for (const [text, says] of mistakes) {
    it(`cannot be ${text}`, async () => {
      const { stderr } = await ends(run(['profile', 'edit', 'p', '--set', `allowedValues=${text}`]), 2, says);
      assert.match(stderr, /Try: relctl/);
    });
  }
});
