import { isDeepStrictEqual } from 'node:util';
import { list, nil, operation, opt, recordWithoutPresence, req, type Operation } from '../../../src/contract/build.js';
import { dateTime, decimal, int, long, string } from '../../../src/contract/scalars.js';
import type { MoreOperation } from '../../../src/sandbox/context.js';
import type { RecordValue } from '../../../src/core/values/value.js';

const Line = recordWithoutPresence('DeployedLine', 'What was ordered.', {
  Sku: req(string, 'Which.'),
  Count: req(int, 'How many.'),
});

const Place = recordWithoutPresence('DeployedPlace', 'Where an order goes.', { City: opt(string, 'City.') });

// Names that are words of SQL, those of a mirror, or the same but for the case of letters.
const Order = recordWithoutPresence('DeployedOrder', 'An order.', {
  Number: req(int, 'Tells it from others.'),
  Code: opt(string, 'A code.'),
  Serial: req(long, 'A long number.'),
  Total: nil(decimal, 'What it costs.'),
  PlacedAt: req(dateTime, 'When it was placed.'),
  Group: opt(string, 'A word of SQL.'),
  group: opt(string, 'Another member.'),
  _hash: opt(string, 'A name that the mirror has.'),
  Place: opt(Place, 'Where it goes.'),
  Place_City: opt(string, 'Not that city.'),
  Lines: opt(list(Line, 'Line'), 'What was ordered.'),
  Notes: opt(list(string, 'Note'), 'Words about it.'),
});

/** One of the orders of the service. */
export const order = (number: number, more: RecordValue = {}): RecordValue => ({
  Number: number,
  Code: number % 2 === 0 ? `c${number}` : `C${number - 1}`,
  Serial: String(9_007_199_254_740_993n + BigInt(number)),
  Total: number % 7 === 0 ? null : `${number}.50`,
  PlacedAt: `2024-01-01T00:00:00.${String(100 - number).padStart(6, '0')}+01:00`,
  ...(number % 3 === 0 ? {} : { Group: `it's "${number}"`, group: 'small' }),
  _hash: `own ${number}`,
  ...(number % 4 === 0 ? {} : { Place: { City: 'Zürich' }, Place_City: 'Delft' }),
  Lines: Array.from({ length: number % 3 }, (_, at) => ({ Sku: `s${at}`, Count: at })),
  Notes: number % 5 === 0 ? [] : ['a', `b${number}`],
  ...more,
});

/** A service with orders that the contract lacks. */
export interface Orders {
  readonly more: ReadonlyMap<string, MoreOperation>;
  /** What there is to read. */
  rows: readonly RecordValue[];
  /** The pages that were asked for. */
  readonly pages: number[];
  /** Throws, where it wants a call to fail. */
  onPage: (page: number) => void;
}

/** Rows of a page at most. */
const most = 10;

/** Operations that answer orders: page by page, all at once, and as codes alone. */
export function ordersService(): Orders {
  const service: Omit<Orders, 'more'> = { rows: [], pages: [], onPage: () => undefined };
  const Page = recordWithoutPresence('DeployedOrderPage', 'A page.', {
    Orders: opt(list(Order, 'Order'), 'Those of this page.'),
  });
  const deployed = (name: string, parameters: Operation['parameters'], result: Operation['result']): Operation =>
    operation({ name, doc: `Does ${name}.`, access: 'read', parameters, result, source: 'observed' });
  const pageOf = ({ pageNumber, pageSize, city }: RecordValue): readonly RecordValue[] => {
    const [page, size] = [Number(pageNumber), Math.min(Number(pageSize), most)];
    service.pages.push(page);
    service.onPage(page);
    const rows = service.rows.filter(
      ({ Place: place }) => city === undefined || isDeepStrictEqual(place, { City: city }),
    );
    return page < 1 ? [] : rows.slice((page - 1) * size, page * size);
  };
  const all: readonly MoreOperation[] = [
    {
      operation: deployed(
        'OrderGetAll',
        { pageNumber: req(int, 'The page.'), pageSize: req(int, 'Its rows.'), city: opt(string, 'City.') },
        { Page: opt(Page, 'The page.') },
      ),
      handler: (input) => ({ Page: { Orders: pageOf(input) } }),
    },
    {
      operation: deployed('OrderGetOpen', {}, { Orders: opt(list(Order, 'Order'), 'Orders.') }),
      handler: () => ({ Orders: service.rows }),
    },
    {
      operation: deployed('OrderTouch', {}, { Orders: opt(list(Order, 'Order'), 'Orders.') }),
      handler: () => ({ Orders: service.rows }),
    },
  ];
  return Object.assign(service, { more: new Map(all.map((each) => [each.operation.name, each])) });
}
