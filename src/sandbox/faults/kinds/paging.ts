import { type NoValue, isList, type Value } from '../../../core/values/value.js';
import type { Middleware, OperationRequest, Executed } from '../../context.js';
import { pageOf, type ReceivedPaging } from '../../handlers/handler.js';
import type { Random } from '../../dataset/random.js';
import { argument, faultKind, type FaultKind } from './fault-kind.js';
import { choice, whole } from './forms.js';

type Execute = (request: OperationRequest) => Executed;

const int = (value: Value | undefined): number | null => (typeof value === 'number' ? value : null);

const receivedPaging = ({ input }: OperationRequest): ReceivedPaging => ({
  pageNumber: int(input['pageNumber']),
  pageSize: int(input['pageSize']),
});

const withPaging = (operationRequest: OperationRequest, paging: ReceivedPaging): OperationRequest => {
  const { pageNumber = int(operationRequest.input['pageNumber']), pageSize = int(operationRequest.input['pageSize']) } =
    paging;
  return { ...operationRequest, input: { ...operationRequest.input, pageNumber, pageSize } };
};

const rowsOf = ({ operation, result }: Executed): readonly Value[] => {
  const rows = result[operation.paged ?? ''];
  return isList(rows) ? rows : [];
};

const withRows = (executed: Executed, rows: readonly Value[]): Executed => ({
  ...executed,
  result: { ...executed.result, [executed.operation.paged ?? '']: rows },
});

const whenPaged =
  (middleware: Middleware): Middleware =>
  (request, execute) =>
    request.operation.paged === undefined ? execute(request) : middleware(request, execute);

const otherPage = (change: (request: ReceivedPaging) => ReceivedPaging): Middleware =>
  whenPaged((request, execute) => execute(withPaging(request, change(receivedPaging(request)))));

const rowsBetween = (
  execute: Execute,
  request: OperationRequest,
  { from, until, pageSize }: { readonly from: number; readonly until: number; readonly pageSize: number },
): { readonly executed: Executed; readonly rows: readonly Value[] } => {
  const first = Math.floor(from / pageSize);
  const last = Math.max(first, Math.ceil(until / pageSize) - 1);
  const rows: Value[] = [];
  let executed: Executed | undefined;
  for (let page = first; page <= last; page += 1) {
    const one = execute(withPaging(request, { pageNumber: page + 1, pageSize }));
    executed ??= one;
    rows.push(...rowsOf(one));
  }
  const start = from - first * pageSize;
  return { executed: executed ?? execute(request), rows: rows.slice(start, start + until - from) };
};

const drifting = (step: (pageSize: number) => number): Middleware =>
  whenPaged((request, execute) => {
    const { pageNumber, pageSize } = pageOf(receivedPaging(request));
    const from = Math.max(0, (pageNumber - 1) * step(pageSize));
    if (!Number.isSafeInteger(from + pageSize)) return execute(request);
    const { executed, rows } = rowsBetween(execute, request, { from, until: from + pageSize, pageSize });
    return withRows(executed, rows);
  });

const cutTo = (most: number): Middleware =>
  whenPaged((request, execute) => {
    const executed = execute(request);
    return withRows(executed, rowsOf(executed).slice(0, most));
  });

const listForms = choice(['absent', 'nil', 'empty']);
type ListForm = NoValue | 'empty';

const without = (executed: Executed, form: ListForm): Executed => {
  const list = executed.operation.paged ?? '';
  const others = Object.fromEntries(Object.entries(executed.result).filter(([name]) => name !== list));
  const forms = { absent: {}, nil: { [list]: null }, empty: { [list]: [] } };
  // Written as it is: a result without members would be nil.
  return { ...executed, result: { ...others, ...forms[form] }, bare: true };
};

const endingIn = (form: ListForm): Middleware =>
  whenPaged((request, execute) => {
    const executed = execute(request);
    return rowsOf(executed).length > 0 ? executed : without(executed, form);
  });

const fromZero = otherPage(({ pageNumber }) => ({ pageNumber: (pageNumber ?? 0) < 0 ? 0 : (pageNumber ?? 0) + 1 }));

const fromOne = whenPaged((request, execute) => {
  const executed = execute(request);
  return (receivedPaging(request).pageNumber ?? 0) < 1 ? withRows(executed, []) : executed;
});

/** The last page with rows, by halving: whoever asks for page 2,000,000,000 must not make us read all before it. */
const lastWithRows = (request: OperationRequest, execute: Execute): Executed => {
  let [low, high] = [1, receivedPaging(request).pageNumber ?? 1];
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    if (rowsOf(execute(withPaging(request, { pageNumber: middle }))).length > 0) low = middle;
    else high = middle;
  }
  return execute(withPaging(request, { pageNumber: low }));
};

const lastRepeated = whenPaged((request, execute) => {
  const executed = execute(request);
  return rowsOf(executed).length > 0 ? executed : lastWithRows(request, execute);
});

const swap = (rows: Value[], one: number, other: number): void => {
  const [left, right] = [rows[one], rows[other]];
  if (left !== undefined && right !== undefined) [rows[one], rows[other]] = [right, left];
};

const swapSeams = (rows: readonly Value[], inner: readonly [from: number, until: number]): readonly Value[] => {
  const swapped = [...rows];
  for (const seam of inner) swap(swapped, seam - 1, seam);
  return swapped.slice(inner[0], inner[1]);
};

const unstable = (random: Random): Middleware => {
  const isSwapped = random.percent(50);
  return whenPaged((request, execute) => {
    const { pageNumber, pageSize } = pageOf(receivedPaging(request));
    const start = (pageNumber - 1) * pageSize;
    if (!isSwapped || pageSize < 2 || !Number.isSafeInteger(start + pageSize)) return execute(request);
    const from = Math.max(0, start - 1);
    const { executed, rows } = rowsBetween(execute, request, { from, until: start + pageSize + 1, pageSize });
    return withRows(executed, swapSeams(rows, [start - from, start - from + pageSize]));
  });
};

const shuffled = (random: Random): Middleware =>
  whenPaged((request, execute) => {
    const executed = execute(request);
    const rows = [...rowsOf(executed)];
    for (let at = rows.length - 1; at > 0; at -= 1) swap(rows, at, random.below(at + 1));
    return withRows(executed, rows);
  });

const rowsMoved = argument(whole(1, 1000));

/** Faults of pagination: unusual ways to count pages, and lists that change between two pages. */
export const pagingFaults: readonly FaultKind[] = [
  faultKind('page-cap', {
    value: argument(whole(1, 1000)),
    args: {
      offset: argument(choice(['own', 'asked']), 'own'),
    },
    effects: (cap, { offset }) => ({
      middleware: () =>
        offset === 'asked' ? cutTo(cap) : otherPage((paging) => ({ pageSize: Math.min(pageOf(paging).pageSize, cap) })),
    }),
  }),
  faultKind('list-end', { value: argument(listForms), effects: (form) => ({ middleware: () => endingIn(form) }) }),
  faultKind('no-list', {
    value: argument(listForms),
    effects: (form) => ({ middleware: () => whenPaged((request, execute) => without(execute(request), form)) }),
  }),
  faultKind('first-page', {
    value: argument(choice(['0', '1'])),
    effects: (first) => ({ middleware: () => (first === '0' ? fromZero : fromOne) }),
  }),
  faultKind('page-number-ignored', { effects: () => ({ middleware: () => otherPage(() => ({ pageNumber: 1 })) }) }),
  faultKind('last-page-repeated', { effects: () => ({ middleware: () => lastRepeated }) }),
  faultKind('unstable-order', {
    value: argument(choice(['within', 'across']), 'across'),
    effects: (where) => ({ middleware: where === 'within' ? shuffled : unstable }),
  }),
  faultKind('rows-inserted', {
    value: rowsMoved,
    effects: (count) => ({ middleware: () => drifting((pageSize) => Math.max(0, pageSize - count)) }),
  }),
  faultKind('rows-deleted', {
    value: rowsMoved,
    effects: (count) => ({ middleware: () => drifting((pageSize) => pageSize + count) }),
  }),
];
