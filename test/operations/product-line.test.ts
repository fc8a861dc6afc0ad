import assert from 'node:assert/strict';
import { known } from '../../src/sandbox/dataset/known.js';
import { endToEnd, type Calling, type Mistake, place } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { argv } from '../support/argv.js';

const { activityId, productId, vatId } = known;
const subscriptionId = '00000000-0020-4000-8000-000000000003';

interface Line {
  readonly Id: string;
  readonly Quantity: string;
  readonly Amount: string;
  readonly TotalAmount: string;
  readonly Description?: string;
  readonly Period: number;
}

describe('The commands that add product lines', () => {
  const here = place();
  const line = (quantity: string, amount: string, purchase = '0.0001'): readonly string[] => argv`
    --product ${productId} --vat ${vatId} --quantity ${quantity} --amount ${amount} --purchase-amount ${purchase}
  `;
  const linesOf = (activity: string): readonly unknown[] =>
    here.rows('SELECT "Id" FROM "ProductLineData" WHERE "ActivityId" = ? ORDER BY seq', activity).flat();
  const storedLine = (id: string): readonly unknown[] =>
    here.rows(
      `SELECT "Quantity", "Amount", "TotalAmount", "PurchaseAmount", "VatId", "ProductId", "Description", "Period"
       FROM "ProductLineData" WHERE "Id" = ?`,
      id,
    )[0] ?? [];
  const changedAt = (activity: string): unknown =>
    here.rows('SELECT "AuditData_ModifiedAt" FROM "PvActivityData" WHERE "Id" = ?', activity)[0]?.[0];

  const exact = async ({ json }: Calling, args: readonly string[]): Promise<void> => {
    const activity = args[2] ?? '';
    const before = linesOf(activity);
    const made = await json<Line>([...args, ...line('3', '1234567.891234'), '--description', ' <A&B> ']);
    assert.deepEqual(linesOf(activity), [...before, made.Id]);
    assert.deepEqual([made.Quantity, made.Amount, made.TotalAmount], ['3', '1234567.891234', '3703703.673702']);
    const [quantity, amount, total, purchase, vat, product, description] = storedLine(made.Id);
    assert.deepEqual([quantity, amount, total, purchase], ['3', '1234567.891234', '3703703.673702', '0.0001']);
    assert.deepEqual([vat, product, description], [vatId, productId, ' <A&B> ']);
  };

  const badLines = (args: readonly string[]): readonly Mistake[] => [
    [[...args, ...line('een', '1')], /--quantity takes a decimal number.*'een'/],
    [[...args, ...line('1', '12,50')], /--amount takes a decimal number.*'12,50'\n.*--amount 12\.50/],
    [[...args, ...line('1', '1e3')], /--amount takes a decimal number.*'1e3'/],
    [[...args, ...line('1', '1', '€ 1')], /--purchase-amount takes a decimal number/],
    [[...args, ...line('1', '1').slice(0, 2)], /quantity/],
    [[...args, ...line('1', '1').slice(2)], /product/],
  ];

  const add = ['activity', 'add-line', activityId];
  endToEnd(here, 'ActivityAddProductLine', {
    works: {
      'activity add-line adds one line, exact to the last digit, and marks the activity as changed': async (
        calling,
      ) => {
        const before = changedAt(activityId);
        await exact(calling, add);
        assert.notEqual(changedAt(activityId), before);
      },
      'activity add-line takes quantities below nothing and of many digits': async ({ json }) => {
        const made = await json<Line>([...add, ...line('-0.333333', '0.0001', '00012.50')]);
        assert.equal(made.TotalAmount, '-0.0000333333');
        assert.deepEqual(storedLine(made.Id).slice(0, 4), ['-0.333333', '0.0001', '-0.0000333333', '00012.50']);
      },
      'activity add-line of a product that is not there is exit code 5 and adds nothing': async ({ run }) => {
        const before = here.digest();
        const args = [...add, '--product', activityId, ...line('1', '1').slice(2)];
        await ends(run(args), 5, /There is no product 00000000-0020/);
        assert.equal(here.digest(), before);
      },
    },
    refuses: badLines(add),
  });

  const subscribe = ['subscription', 'add-line', subscriptionId, '--period', '12'];
  endToEnd(here, 'SubscriptionAddProductLine', {
    works: {
      'subscription add-line adds one line for a period, exact to the last digit': async (calling) => {
        await exact(calling, subscribe);
        const last = linesOf(subscriptionId).at(-1);
        assert.equal(storedLine(String(last)).at(-1), 12);
      },
      'subscription add-line to something else is refused with 4 and adds nothing': async ({ run }) => {
        const before = here.digest();
        const { code, stderr } = await run(argv`subscription add-line ${activityId} --period 1 ${line('1', '1')}`);
        assert.equal(code, 4, stderr);
        assert.match(stderr, /is not a subscription/);
        assert.equal(here.digest(), before);
      },
    },
    refuses: [
      ...badLines(subscribe).slice(0, 2),
      [['subscription', 'add-line', subscriptionId, '--period', 'maand', ...line('1', '1')], /--period takes a whole/],
      [['subscription', 'add-line', subscriptionId, '--period', '2147483648', ...line('1', '1')], /--period takes a/],
      [['subscription', 'add-line', subscriptionId, ...line('1', '1')], /period/],
    ],
  });
});
