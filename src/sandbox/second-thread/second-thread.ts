import { isList } from '../../plain/value.js';
import type { WholeResponse } from '../../soap/wire/response.js';
import type { AnswersBeside, Asked } from '../context.js';
import { wholeUpTo } from '../dataset/making.js';
import { pageOf } from '../handlers/paging.js';
import type { Turns } from '../http/turns.js';
import type { Setting } from './messages.js';
import { orderedThread } from './worker.js';

/** A thread beside that of the server, with its own door to the database. */
export interface SecondThread extends AnswersBeside {
  /** Ends the thread for now, if it runs: it takes memory. What it was answering is the caller's to answer. */
  readonly end: () => void;
  /** Ends it for good. */
  readonly close: () => void;
}

/** For pages, the thread is started when so many requests wait: for fewer, it takes longer to start than they take. */
const startAt = 8;

/** Pages that it has to answer: one, and the next, so that it does not wait for the first thread in between. */
const mostPages = 2;

/** Handing a shorter page over saves nothing. */
const leastRows = 100;

/** True for a search by values or dates, which reads as many rows as it must to fill its page. */
const isSearch = ({ operation, input }: Asked): boolean => {
  const values = input['fieldValues'];
  return Object.hasOwn(operation.parameters, 'dateFieldId') || (isList(values) && values.length > 0);
};

/** Operations that give lists without pages, which grow with the data set. */
const withoutPages: ReadonlySet<string> = new Set(['NotificationsGet', 'RelationGetActivities']);

/** True for a request that takes a long time in a large data set. */
const isLong = (asked: Asked): boolean => isSearch(asked) || withoutPages.has(asked.operation.name);

const isLongPage = ({ operation, input }: Asked): boolean =>
  operation.paged !== undefined && pageOf(input).pageSize >= leastRows;

/**
 * The second thread of a sandbox, which starts when it is needed.
 * @param turns how many requests wait to be begun, whether there is room for an answer, and whether the memory of the thread is
 * needed elsewhere
 */
export function openSecondThread(setting: Setting, turns: Pick<Turns, 'waiting' | 'isAlone' | 'room'>): SecondThread {
  const thread = orderedThread(setting);
  const isLarge = setting.dataset.relations > wholeUpTo;
  /** It has an order that takes long: no page is kept waiting behind that. */
  let hasLong = false;
  let lastLong = Promise.resolve();

  const give = ({ operation, version, credentials, input }: Asked): Promise<WholeResponse | undefined> =>
    thread.give({ operation: operation.name, version, credentials, input });
  const giveLong = async (asked: Asked): Promise<WholeResponse | undefined> => {
    await turns.room();
    if (turns.isAlone() || !thread.start()) return undefined;
    hasLong = true;
    try {
      return await give(asked);
    } finally {
      hasLong = false;
    }
  };
  /** One after the other, so that no more answers are in memory than there is room for. */
  const answerLong = (asked: Asked): Promise<WholeResponse | undefined> => {
    const answered = lastLong.then(() => giveLong(asked));
    const over = (): void => undefined;
    lastLong = answered.then(over, over);
    return answered;
  };
  const takesPage = (): boolean => {
    const waiting = turns.waiting();
    if (waiting >= startAt) thread.start();
    return waiting > 0 && thread.isReady() && !hasLong && thread.orders() < mostPages;
  };
  return {
    answer: async (asked) => {
      if (turns.isAlone()) return undefined;
      if (isLarge && isLong(asked)) return answerLong(asked);
      return isLongPage(asked) && takesPage() ? give(asked) : undefined;
    },
    end: thread.end,
    close: thread.close,
  };
}
