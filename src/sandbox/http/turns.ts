import type { Socket } from 'node:net';
import type { Pace } from '../context.js';

/** Shares the turns of the event loop: in each of them, one piece of work is done for one request. */
export interface Turns extends Pace {
  /**
   * Resolves when a request may be begun, in the order in which they ask.
   * @param room resolves when there is room for one more answer
   */
  readonly begin: (room: () => Promise<void>) => Promise<void>;
  /** Resolves when there is room for one more answer, for a request that was begun and has waited since. */
  readonly room: () => Promise<void>;
  /** How many requests wait to be begun. */
  readonly waiting: () => number;
  /** True while work is done alone. */
  readonly isAlone: () => boolean;
}

/** So many requests are begun between two steps of reading bodies, where both wait. */
const beginnings = 4;

/** Those who wait for a turn, in the order of asking. */
type Queue = (() => void)[];

/** Whose turn is next: an answer that is written goes before all else, so that few results are in memory at once. */
function nextOf(
  lines: { readonly writing: Queue; readonly begin: Queue; readonly reading: Queue },
  begun: number,
): Queue {
  if (lines.writing.length > 0) return lines.writing;
  const isReaders = lines.begin.length === 0 || (begun >= beginnings && lines.reading.length > 0);
  return isReaders ? lines.reading : lines.begin;
}

/**
 * Gives one turn in each turn of the event loop, so that others can be read, answers can be sent, and signals arrive between
 * any two. Each line is served in the order of asking.
 * @param onAlone called before each work that is done alone
 */
export function openTurns(onAlone: () => void = () => undefined): Turns {
  const lines = { writing: [] as Queue, begin: [] as Queue, reading: [] as Queue };
  /** Requests that were begun since a body was read on. */
  let begun = 0;
  let waiting = 0;
  let isAlone = false;
  let roomOf = (): Promise<void> => Promise.resolve();
  let isGoing = false;
  let last = Promise.resolve();
  let lastAlone = Promise.resolve();

  const go = (): void => {
    const line = nextOf(lines, begun);
    const turn = line.shift();
    isGoing = turn !== undefined;
    if (turn === undefined) return;
    if (line !== lines.writing) begun = line === lines.begin ? begun + 1 : 0;
    setImmediate(go);
    turn();
  };
  const waitIn = (line: Queue) => (): Promise<void> =>
    new Promise((resolve) => {
      line.push(resolve);
      if (!isGoing) setImmediate(go);
      isGoing = true;
    });
  const begin = waitIn(lines.begin);
  return {
    writing: waitIn(lines.writing),
    reading: waitIn(lines.reading),
    room: () => roomOf(),
    begin: (room) => {
      waiting += 1;
      roomOf = room;
      last = last.then(room).then(begin);
      return last.finally(() => (waiting -= 1));
    },
    waiting: () => waiting,
    isAlone: () => isAlone,
    alone: (work) => {
      const done = lastAlone.then(() => {
        isAlone = true;
        onAlone();
        return work();
      });
      const over = (): void => {
        isAlone = false;
      };
      lastAlone = done.then(over, over);
      return done;
    },
  };
}

/** The requests of one connection, of which a client may send several before the first is answered. */
interface Line {
  waiting: number;
  /** Requests that were passed over. */
  passed: number;
  last: Promise<void>;
}

/** Work for a request; `isOver` when too many wait before it on its connection. */
type Work = (isOver: boolean) => Promise<void>;

/** So many may be passed over: Node keeps each until the connection ends, and 300,000 took 500 MB. */
const mostPassed = 1_000;

/**
 * Carries out the requests of each connection one after the other. Up to so many wait; the one beyond that is the last, and
 * those behind it are passed over; a connection with too many of these is ended at once.
 */
export function openLines(most: number): (socket: Socket, work: Work) => void {
  const lines = new WeakMap<Socket, Line>();
  return (socket, work) => {
    const line = lines.get(socket) ?? { waiting: 0, passed: 0, last: Promise.resolve() };
    lines.set(socket, line);
    const before = line.waiting;
    if (before > most) {
      line.passed += 1;
      if (line.passed > mostPassed) socket.destroy();
      return;
    }
    // Its connection is ended: none that comes later is carried out, though others are answered until then.
    line.waiting = before === most ? Infinity : before + 1;
    line.last = line.last.then(async () => {
      try {
        if (!socket.destroyed) await work(before === most);
      } catch {
        socket.destroy();
      }
      line.waiting -= 1;
    });
  };
}
