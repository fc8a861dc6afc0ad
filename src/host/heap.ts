import { setFlagsFromString } from 'node:v8';

const usual = { growthFactor: 2, growingPercent: 0 };

/**
 * How early V8 collects garbage. `early` is for lists: young objects have the room that they had at the first page, and old
 * ones may become by a tenth more than was left of them. `soon` is for work that makes much that lives for a moment only:
 * young objects get more room when they need it.
 */
export type Collection = 'early' | 'soon';

const settings: Readonly<Record<Collection, typeof usual>> = {
  early: { growthFactor: 1, growingPercent: 10 },
  soon: { growthFactor: 2, growingPercent: 10 },
};

let isSet = false;

function set({ growthFactor, growingPercent }: typeof usual): void {
  setFlagsFromString(`--semi-space-growth-factor=${growthFactor}`);
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
}

/**
 * Sets how V8 collects garbage from here on. What a long list keeps is little, but its pages, and the bytes
 * that came, live long enough to be taken for something that stays: left alone, the heap grows to several times its content
 * before V8 looks again. A version of V8 that does not know these settings only needs more memory.
 */
export function collectGarbage(when: Collection = 'early'): void {
  if (isSet) return;
  isSet = true;
  set(settings[when]);
  // V8 takes the code that scripts/start.cjs keeps at the end for the same settings only.
  process.prependOnceListener('exit', () => set(usual));
}
