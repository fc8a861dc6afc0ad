import { isDeepStrictEqual } from 'node:util';
import { list, nil, operation, opt, recordWithoutPresence, req, type Operation } from '../../../src/contract/build.js';
import { dateTime, decimal, int, long, string, boolean, guid } from '../../../src/contract/scalars.js';
import type { MoreOperation } from '../../../src/sandbox/context.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';

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

const Address = recordWithoutPresence('DeployedAddress', 'Where a contact lives.', {
  Street: opt(string, 'Street and number.'),
  City: opt(string, 'City.'),
});

const Contact = recordWithoutPresence('DeployedContact', 'A contact.', {
  Id: req(guid, 'Identifies it.'),
  Number: req(long, 'Its number.'),
  Name: opt(string, 'Its name.'),
  Balance: nil(decimal, 'What it owes.'),
  IsActive: req(boolean, 'It is in use.'),
  ChangedAt: req(dateTime, 'When it was changed.'),
  Address: opt(Address, 'Where it lives.'),
  Tags: opt(list(string, 'Tag'), 'Words about it.'),
});

const ContactPage = recordWithoutPresence('DeployedContactPage', 'A page of contacts.', {
  Total: req(int, 'Number of attachments.'),
  Contacts: opt(list(Contact, 'Contact'), 'Those of this page.'),
});

const Event = recordWithoutPresence('DeployedEvent', 'An event, which has no Id.', {
  Code: req(string, 'What happened.'),
  Count: req(int, 'How often.'),
});

const deployed = (name: string, parameters: Operation['parameters'], result: Operation['result']): Operation =>
  operation({ name, doc: `Does ${name}.`, access: 'read', parameters, result, source: 'observed' });

/** Contacts of the deployment; some texts need quotes, and some values are nil or missing. */
export const contacts: readonly RecordValue[] = Array.from({ length: 57 }, (_, at) => ({
  Id: `0000c0de-0000-4000-8000-${String(at).padStart(12, '0')}`,
  Number: String(9_007_199_254_740_993n + BigInt(at)),
  ...(at % 5 === 0 ? {} : { Name: `Name; "${at}" & =1+${at}` }),
  Balance: at % 7 === 0 ? null : `${at}.10`,
  IsActive: at % 2 === 0,
  ChangedAt: `2024-01-${String(1 + (at % 28)).padStart(2, '0')}T12:00:00Z`,
  ...(at % 3 === 0 ? {} : { Address: { Street: `Street ${at}`, City: 'Zürich' } }),
  Tags: at % 4 === 0 ? [] : ['a', `b${at}`],
}));

/** Events of the deployment: two of them are alike. */
export const events: readonly RecordValue[] = Array.from({ length: 11 }, (_, at) => ({
  Code: `event ${at === 7 ? 3 : at}`,
  Count: at === 7 ? 3 : at,
}));

/** What a test decides of the deployment while it runs. */
interface Deployment {
  readonly more: ReadonlyMap<string, MoreOperation>;
  /** The inputs of the calls, in their order, each with its operation. */
  readonly calls: { readonly name: string; readonly input: RecordValue }[];
  /** Throws, where it wants a call to fail. */
  onCall: (name: string, input: RecordValue) => void;
}

const pageOf = (rows: readonly RecordValue[], number: unknown, size: unknown): readonly RecordValue[] => {
  const [page, length] = [Number(number), Math.min(Number(size), 20)];
  return page < 1 ? [] : rows.slice((page - 1) * length, page * length);
};

const timeOf = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN);

const isWithin = ({ ChangedAt }: RecordValue, { from, to }: RecordValue): boolean =>
  timeOf(ChangedAt) >= timeOf(from) && timeOf(ChangedAt) <= timeOf(to);

/** Operations of a deployment that the contract lacks. */
export function deployment(): Deployment {
  const calls: { name: string; input: RecordValue }[] = [];
  const page = { pageNumber: req(int, 'The page.'), pageSize: req(int, 'Its rows.') };
  const period = { from: req(dateTime, 'Start.'), to: req(dateTime, 'End.') };
  const asked = {
    Request: req(
      recordWithoutPresence('DeployedQuestion', 'A question.', {
        Page: req(long, 'The page.'),
        Rows: req(int, 'Its rows.'),
      }),
      'The question.',
    ),
  };
  const all: readonly (readonly [Operation, (input: RecordValue) => RecordValue])[] = [
    [
      deployed('ContactGetAll', { ...page, city: opt(string, 'City.') }, { Page: opt(ContactPage, 'The page.') }),
      ({ pageNumber, pageSize }) => ({
        Page: { Total: contacts.length, Contacts: pageOf(contacts, pageNumber, pageSize) },
      }),
    ],
    [
      deployed(
        'ContactGetModified',
        { ...page, ...period },
        { Contacts: opt(list(Contact, 'Contact'), 'Changed ones.') },
      ),
      (input) => {
        const changed = contacts.filter((each) => isWithin(each, input));
        return { Contacts: pageOf(changed, input['pageNumber'], input['pageSize']) };
      },
    ],
    [
      deployed('ContactAsk', asked, { Contacts: opt(list(Contact, 'Contact'), 'The page.') }),
      ({ Request }) => {
        const { Page, Rows } = Request as RecordValue;
        return { Contacts: pageOf(contacts, Page, Rows) };
      },
    ],
    [
      deployed('EventGetPage', { page: req(int, 'The page.') }, { Events: opt(list(Event, 'Event'), 'Events.') }),
      (input) => ({ Events: pageOf(events, input['page'], 4) }),
    ],
    [
      deployed('TagGetAll', {}, { Tags: opt(list(string, 'Tag'), 'Tags.'), Count: req(int, 'How many.') }),
      () => ({ Tags: ['b', 'a', '01'], Count: 3 }),
    ],
    [
      deployed('GapGetAll', {}, { Contacts: opt(list(Contact, 'Contact'), 'Contacts, one of which is nil.') }),
      () => ({ Contacts: [...contacts.slice(0, 2), null, ...contacts.slice(2, 3)] }),
    ],
    [
      deployed(
        'ContactGetFrom',
        { offset: req(int, 'Rows to pass.') },
        { Contacts: opt(list(Contact, 'Contact'), 'Contacts.') },
      ),
      ({ offset }) => ({ Contacts: contacts.slice(Number(offset)) }),
    ],
    [deployed('ContactTouch', { id: req(guid, 'Which.') }, { Info: opt(string, 'Words.') }), () => ({ Info: 'done' })],
  ];
  const made: Deployment = {
    calls,
    onCall: () => undefined,
    more: new Map(
      all.map(([each, answer]) => [
        each.name,
        {
          operation: each,
          handler: (input) => {
            calls.push({ name: each.name, input });
            made.onCall(each.name, input);
            return answer(input);
          },
        },
      ]),
    ),
  };
  return made;
}

/** The failure of a call, which a service does not get over. */
export const broken = (): never => {
  throw new RelctlError('refused', 'It is broken.', { facts: { foreignCode: 'Server' } });
};
