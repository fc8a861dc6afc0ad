import { createHash } from 'node:crypto';
import type { WholeResponse } from '../soap/wire/response.js';
import type { Asked, KeptAnswers, MadeAnswer, SandboxContext } from './context.js';
import type { Store } from './store/open.js';
import { watchRows } from './store/state.js';

/** Bounds of what is kept, in bytes. A shorter answer is made as fast as it is found. */
const limits = { all: 16 * 1024 * 1024, most: 8 * 1024 * 1024, least: 4 * 1024 } as const;

/** Requests that are remembered, to know which are asked again. */
const mostAsked = 4096;

/** Stands for a request. Not its text, which holds a password. */
const keyOf = ({ operation, version, credentials, input }: Asked): string =>
  createHash('sha256')
    .update(JSON.stringify([operation.name, version, credentials, input]))
    .digest('base64');

const isWorthKeeping = ({ whole: { body }, content }: MadeAnswer): boolean =>
  content === undefined && body.length >= limits.least && body.length <= limits.most;

/** Keeps the answers from the rows of a database; of those that are too many, the one that was asked for longest ago goes. */
export function keepAnswers(store: Store): KeptAnswers {
  // A Map keeps the order of adding: the first one was asked for longest ago.
  const kept = new Map<string, WholeResponse>();
  let bytes = 0;
  const askedKeys = new Set<string>();
  // Whoever walks a list to its end asks for no page twice, and to keep those would only cost time.
  const isAskedAgain = (key: string): boolean => {
    if (askedKeys.has(key)) return true;
    if (askedKeys.size >= mostAsked) askedKeys.clear();
    askedKeys.add(key);
    return false;
  };

  const remove = (key: string): WholeResponse | undefined => {
    const found = kept.get(key);
    kept.delete(key);
    bytes -= found?.body.length ?? 0;
    return found;
  };
  const add = (key: string, answer: WholeResponse): void => {
    remove(key);
    kept.set(key, answer);
    bytes += answer.body.length;
    for (const oldest of kept.keys()) {
      if (bytes <= limits.all) return;
      remove(oldest);
    }
  };
  const look = watchRows(store, () => {
    kept.clear();
    bytes = 0;
  });
  return {
    of: async (asked, make) => {
      const isOfThese = look();
      const key = keyOf(asked);
      const found = remove(key);
      const isAgain = isAskedAgain(key);
      const made = found === undefined ? await make() : { whole: found };
      // While it was written, others may have changed rows.
      if (isAgain && isOfThese() && isWorthKeeping(made)) add(key, made.whole);
      return made;
    },
  };
}

/** True for a request whose answer is a list that is made of rows and of nothing else. One record is made as fast as it is found. */
export const isListOfRows = ({ middleware, more }: SandboxContext, { operation }: Asked): boolean =>
  operation.access === 'read' &&
  middleware === undefined &&
  more?.has(operation.name) !== true &&
  Object.values(operation.result)[0]?.type.kind === 'list';
