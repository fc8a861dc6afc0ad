import type { Kind } from '../../core/errors/kinds.js';
import { RelctlError, type Remedy } from '../../core/errors/relctl-error.js';
import { renderError } from '../../formats/error.js';
import type { Context } from '../../kit/host/context.js';
import type { Outcome } from './in-order.js';
import type { ListedId } from './id-list.js';

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
  advice: 'Correct the ids on these lines or take them out, or check which service was asked.',
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
        throw ending(`; the service does not answer, and those behind line ${item.line} were not asked for`);
      }
    },
    end() {
      if (failed > 0) throw ending('');
    },
  };
}
