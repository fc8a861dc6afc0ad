import { RelctlError } from '../../core/errors/relctl-error.js';

/** A part of the outcome of an item: a batch, or at the end that it is done or has failed. */
export type Outcome<I, T> =
  | { readonly kind: 'batch'; readonly item: I; readonly batch: T }
  | { readonly kind: 'done'; readonly item: I }
  | { readonly kind: 'failed'; readonly item: I; readonly error: RelctlError };

/** How many batches of an item are read before its turn comes, which bounds memory. */
const ahead = 2;

interface Started<I, T> {
  readonly item: I;
  readonly next: () => Promise<IteratorResult<T, void>>;
}

function started<I, T>(item: I, batches: AsyncGenerator<T, void>): Started<I, T> {
  const pull = (): Promise<IteratorResult<T, void>> => {
    const step = batches.next();
    // It is awaited later; until then a failure must not end the process.
    step.catch(() => undefined);
    return step;
  };
  const steps = Array.from({ length: ahead }, pull);
  return {
    item,
    next() {
      steps.push(pull());
      return steps.shift() ?? pull();
    },
  };
}

async function* outcomesOf<I, T>({ item, next }: Started<I, T>): AsyncGenerator<Outcome<I, T>, void> {
  try {
    for (let step = await next(); step.done !== true; step = await next())
      yield { kind: 'batch', item, batch: step.value };
  } catch (thrown) {
    yield { kind: 'failed', item, error: RelctlError.from(thrown) };
    return;
  }
  yield { kind: 'done', item };
}

/**
 * Works on items, at most `width` at once, and gives their outcomes in the order of the items. An item that fails does not
 * stop the others. A caller that stops reading has to abort the work that `open` began.
 */
export async function* inOrder<I, T>(
  items: Iterable<I>,
  open: (item: I) => AsyncGenerator<T, void>,
  width: number,
): AsyncGenerator<Outcome<I, T>, void> {
  const waiting: Started<I, T>[] = [];
  const source = items[Symbol.iterator]();
  for (;;) {
    while (waiting.length < width) {
      const result = source.next();
      if (result.done === true) break;
      waiting.push(started(result.value, open(result.value)));
    }
    const head = waiting[0];
    if (head === undefined) return;
    yield* outcomesOf(head);
    waiting.shift();
  }
}
