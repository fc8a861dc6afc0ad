import { RelctlError, type Remedy } from '../../core/errors/relctl-error.js';
import type { Kind } from '../../core/errors/kinds.js';
import { renderError } from '../../formats/error.js';
import type { Context } from '../../kit/host/context.js';
import type { ListedId } from './parse.js';

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

/** Failures that do not depend on the id: each other id would fail in the same way. */
export const ofAll: ReadonlySet<Kind> = new Set(['interrupted', 'bug', 'profile', 'local', 'locked', 'usage']);

/** After so many ids in a row without an answer, no more are asked for. */
const mostSilent = 5;

type Ended = Exclude<Outcome<ListedId, unknown>, { readonly kind: 'batch' }>;

/** Counts the ids that failed. */
export interface FailureTally {
  /** Counts the outcome of an id, and writes a failure to stderr. Throws a failure that each other id would have too. */
  take(outcome: Ended): Promise<void>;
  /** Throws `partial` when some ids failed, and their own kind when all failed in the same way. */
  end(): void;
}

/** Writes an error to stderr, also with --quiet; with --json it is kept for the one object that stderr gets at the end. */
async function reportFailure(
  { errorShape, notes, streams }: Context,
  { line, id }: ListedId,
  error: RelctlError,
): Promise<void> {
  const message = `line ${line}, ${id}: ${error.message}`;
  if (errorShape === 'json') notes.push(message);
  else {
    const failure = new RelctlError(error.kind, message, { facts: error.facts });
    await streams.err.write(renderError(failure, { shape: 'text', debug: false }));
  }
}

/** What to do where there are no such relations: the same once more would not find them. */
const missing: Remedy = {
  advice: 'Correct or remove the ids on these lines, or check that this is the right service.',
  hint: 'relctl whoami',
};

/**
 * A tally of the failures among the ids of relations.
 * @param count how many ids there are
 */
export function failureTally(context: Context, count: number): FailureTally {
  const kinds = new Set<Kind>();
  let [failed, done, silent] = [0, 0, 0];
  const ending = (reason: string): RelctlError => {
    const [kind = 'partial', other] = kinds;
    const isSame = done === 0 && other === undefined;
    return new RelctlError(isSame ? kind : 'partial', `${failed} of ${count} relations failed${reason}`, {
      facts: { code: 'failed-ids' },
      ...(kind === 'not-found' && other === undefined ? missing : {}),
    });
  };
  return {
    async take(outcome) {
      if (outcome.kind === 'done') {
        done += 1;
        silent = 0;
        return;
      }
      const { error, item } = outcome;
      if (ofAll.has(error.kind)) throw error;
      failed += 1;
      kinds.add(error.kind);
      silent = error.kind === 'no-answer' ? silent + 1 : 0;
      await reportFailure(context, item, error);
      if (silent >= mostSilent && failed + done < count) {
        throw ending(`; the service does not answer, so relctl did not request the ids after line ${item.line}`);
      }
    },
    end() {
      if (failed > 0) throw ending('');
    },
  };
}
