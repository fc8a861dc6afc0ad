import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const usual = { growthFactor: 2, growingPercent: 0 };

/** How V8 collects: `youngBytes` is the room of young objects at which it stops growing. */
type Setting = typeof usual & { readonly youngBytes?: number };

/**
 * How early V8 collects garbage. `early` is for lists: young objects have the room that they had at the first page, and old
 * ones may become by a tenth more than was left of them. `soon` is for work that makes much that lives for a moment only:
 * young objects get more room when they need it. `calls` is for many small calls: what a call needs lives until it was answered,
 * and in the room of a first page would be taken for something that stays, four times as often as in some more. Rows stand beside
 * what is kept for all of them, such as a list of products: to look through that after each tenth more takes much time.
 */
export type Collection = 'early' | 'soon' | 'calls';

const settings: Readonly<Record<Collection, Setting>> = {
  early: { growthFactor: 1, growingPercent: 10 },
  soon: { growthFactor: 2, growingPercent: 10 },
  calls: { growthFactor: 2, growingPercent: 50, youngBytes: 8 * 1024 * 1024 },
};

let isSet = false;

const setGrowth = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

function set({ growthFactor, growingPercent }: Setting): void {
  setGrowth(growthFactor);
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
}

const bytesOfYoungSpace = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? Infinity;

/** Lets the room of young objects grow no more once it is so large. It is looked at after each collection, when it may grow. */
function stopGrowingAt(bytes: number): void {
  const collections = new PerformanceObserver(() => {
    if (bytesOfYoungSpace() < bytes) return;
    collections.disconnect();
    setGrowth(1);
  });
  collections.observe({ entryTypes: ['gc'] });
}

/**
 * Sets how V8 collects garbage from here on. What a long list keeps is little, but its pages, and the bytes
 * that came, live long enough to be taken for something that stays: left alone, the heap grows to several times its content
 * before V8 looks again. A version of V8 that does not know these settings only needs more memory.
 */
export function collectGarbage(when: Collection = 'early'): void {
  if (isSet) return;
  isSet = true;
  const setting = settings[when];
  set(setting);
  if (setting.youngBytes !== undefined) stopGrowingAt(setting.youngBytes);
  // V8 takes the code that scripts/start.cjs keeps at the end for the same settings only.
  process.prependOnceListener('exit', () => set(usual));
}
