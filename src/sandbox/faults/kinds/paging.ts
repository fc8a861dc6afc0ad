import type { Value } from '../../../soap/values/values.js';
import type { Around, Asked, Carried } from '../../context.js';
import { pageOf, type ReceivedPaging } from '../../handlers/paging.js';
import type { Random } from '../../dataset/random.js';
import { argument, faultKind, type FaultKind } from './fault-kind.js';
import { choice, whole } from './forms.js';

type CarryOut = (asked: Asked) => Carried;

const int = (value: Value | undefined): number | null => (typeof value === 'number' ? value : null);

const receivedPaging = ({ input }: Asked): ReceivedPaging => ({
  pageNumber: int(input['pageNumber']),
  pageSize: int(input['pageSize']),
});

const withPaging = (asked: Asked, paging: ReceivedPaging): Asked => {
  const { pageNumber = int(asked.input['pageNumber']), pageSize = int(asked.input['pageSize']) } = paging;
  return { ...asked, input: { ...asked.input, pageNumber, pageSize } };
};

const rowsOf = ({ operation, result }: Carried): readonly Value[] => {
  const rows = result[operation.paged ?? ''];
  // Array.isArray gives any[] for a readonly array; the annotation takes that back.
  const list: readonly Value[] = Array.isArray(rows) ? rows : [];
  return list;
};

const withRows = (carried: Carried, rows: readonly Value[]): Carried => ({
  ...carried,
  result: { ...carried.result, [carried.operation.paged ?? '']: rows },
});

/** Only operations that page have what these faults disturb. */
const whenPaged =
  (around: Around): Around =>
  (asked, carryOut) =>
    asked.operation.paged === undefined ? carryOut(asked) : around(asked, carryOut);

const otherPage = (change: (asked: ReceivedPaging) => ReceivedPaging): Around =>
  whenPaged((asked, carryOut) => carryOut(withPaging(asked, change(receivedPaging(asked)))));

/** The rows from one place in the list up to another, put together from pages of the size asked for. */
const rowsBetween = (
  carryOut: CarryOut,
  asked: Asked,
  { from, until, pageSize }: { readonly from: number; readonly until: number; readonly pageSize: number },
): { readonly carried: Carried; readonly rows: readonly Value[] } => {
  const first = Math.floor(from / pageSize);
  const last = Math.max(first, Math.ceil(until / pageSize) - 1);
  const rows: Value[] = [];
  let carried: Carried | undefined;
  for (let page = first; page <= last; page += 1) {
    const one = carryOut(withPaging(asked, { pageNumber: page + 1, pageSize }));
    carried ??= one;
    rows.push(...rowsOf(one));
  }
  const start = from - first * pageSize;
  return { carried: carried ?? carryOut(asked), rows: rows.slice(start, start + until - from) };
};

/** Pages that begin further on, or less far, the more pages there were before them. */
const drifting = (step: (pageSize: number) => number): Around =>
  whenPaged((asked, carryOut) => {
    const { pageNumber, pageSize } = pageOf(receivedPaging(asked));
    const from = Math.max(0, (pageNumber - 1) * step(pageSize));
    if (!Number.isSafeInteger(from + pageSize)) return carryOut(asked);
    const { carried, rows } = rowsBetween(carryOut, asked, { from, until: from + pageSize, pageSize });
    return withRows(carried, rows);
  });

/** Pages that begin where the size that was asked for says, and hold less than that. */
const cutTo = (most: number): Around =>
  whenPaged((asked, carryOut) => {
    const carried = carryOut(asked);
    return withRows(carried, rowsOf(carried).slice(0, most));
  });

/** What stands in the place of a list. */
const listForms = choice(['absent', 'nil', 'empty']);
type ListForm = 'absent' | 'nil' | 'empty';

const without = (carried: Carried, form: ListForm): Carried => {
  const list = carried.operation.paged ?? '';
  const others = Object.fromEntries(Object.entries(carried.result).filter(([name]) => name !== list));
  const forms = { absent: {}, nil: { [list]: null }, empty: { [list]: [] } };
  // Written as it is: a result without members would be nil.
  return { ...carried, result: { ...others, ...forms[form] }, bare: true };
};

const endingIn = (form: ListForm): Around =>
  whenPaged((asked, carryOut) => {
    const carried = carryOut(asked);
    return rowsOf(carried).length > 0 ? carried : without(carried, form);
  });

const fromZero = otherPage(({ pageNumber }) => ({ pageNumber: (pageNumber ?? 0) < 0 ? 0 : (pageNumber ?? 0) + 1 }));

const fromOne = whenPaged((asked, carryOut) => {
  const carried = carryOut(asked);
  return (receivedPaging(asked).pageNumber ?? 0) < 1 ? withRows(carried, []) : carried;
});

/** The last page with rows, by halving: whoever asks for page 2,000,000,000 must not make us read all before it. */
const lastWithRows = (asked: Asked, carryOut: CarryOut): Carried => {
  let [low, high] = [1, receivedPaging(asked).pageNumber ?? 1];
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (rowsOf(carryOut(withPaging(asked, { pageNumber: middle }))).length > 0) low = middle;
    else high = middle;
  }
  return carryOut(withPaging(asked, { pageNumber: low }));
};

const lastRepeated = whenPaged((asked, carryOut) => {
  const carried = carryOut(asked);
  return rowsOf(carried).length > 0 ? carried : lastWithRows(asked, carryOut);
});

const swapSeams = (rows: readonly Value[], inner: readonly [from: number, until: number]): readonly Value[] => {
  const swapped = [...rows];
  for (const seam of inner) {
    const [left, right] = [rows[seam - 1], rows[seam]];
    if (left !== undefined && right !== undefined) [swapped[seam - 1], swapped[seam]] = [right, left];
  }
  return swapped.slice(inner[0], inner[1]);
};

/** In half of the calls the rows on both sides of each seam between pages have changed places. */
const unstable = (random: Random): Around => {
  const isSwapped = random.percent(50);
  return whenPaged((asked, carryOut) => {
    const { pageNumber, pageSize } = pageOf(receivedPaging(asked));
    const start = (pageNumber - 1) * pageSize;
    if (!isSwapped || pageSize < 2 || !Number.isSafeInteger(start + pageSize)) return carryOut(asked);
    const from = Math.max(0, start - 1);
    const { carried, rows } = rowsBetween(carryOut, asked, { from, until: start + pageSize + 1, pageSize });
    return withRows(carried, swapSeams(rows, [start - from, start - from + pageSize]));
  });
};

const shuffled = (random: Random): Around =>
  whenPaged((asked, carryOut) => {
    const carried = carryOut(asked);
    const rows = [...rowsOf(carried)];
    for (let at = rows.length - 1; at > 0; at -= 1) {
      const other = random.below(at + 1);
      const [left, right] = [rows[at], rows[other]];
      if (left !== undefined && right !== undefined) [rows[at], rows[other]] = [right, left];
    }
    return withRows(carried, rows);
  });

const rowsMoved = argument(whole(1, 1000));

/** Faults of paged lists: how services page otherwise than one thinks, and what happens when lists change meanwhile. */
export const pagingFaults: readonly FaultKind[] = [
  faultKind('page-cap', {
    value: argument(whole(1, 1000)),
    args: {
      offset: argument(choice(['own', 'asked']), 'own'),
    },
    effects: (cap, { offset }) => ({
      around: () =>
        offset === 'asked' ? cutTo(cap) : otherPage((paging) => ({ pageSize: Math.min(pageOf(paging).pageSize, cap) })),
    }),
  }),
  faultKind('list-end', { value: argument(listForms), effects: (form) => ({ around: () => endingIn(form) }) }),
  faultKind('no-list', {
    value: argument(listForms),
    effects: (form) => ({ around: () => whenPaged((asked, carryOut) => without(carryOut(asked), form)) }),
  }),
  faultKind('first-page', {
    value: argument(choice(['0', '1'])),
    effects: (first) => ({ around: () => (first === '0' ? fromZero : fromOne) }),
  }),
  faultKind('page-number-ignored', { effects: () => ({ around: () => otherPage(() => ({ pageNumber: 1 })) }) }),
  faultKind('last-page-repeated', { effects: () => ({ around: () => lastRepeated }) }),
  faultKind('unstable-order', {
    value: argument(choice(['within', 'across']), 'across'),
    effects: (where) => ({ around: where === 'within' ? shuffled : unstable }),
  }),
  faultKind('rows-inserted', {
    value: rowsMoved,
    effects: (count) => ({ around: () => drifting((pageSize) => Math.max(0, pageSize - count)) }),
  }),
  faultKind('rows-deleted', {
    value: rowsMoved,
    effects: (count) => ({ around: () => drifting((pageSize) => pageSize + count) }),
  }),
];
