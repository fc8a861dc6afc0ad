import { setFlagsFromString } from 'node:v8';

/**
 * How early V8 collects garbage: `early` for a list whose records stay in memory page by page, `soon` for one of which only
 * the text stays. What a long list keeps is little, but its pages live long enough to be taken for something that stays:
 * left alone, the heap grows to several times its content before V8 looks again. `early` halves the memory for up to a third
 * more of processor time, `soon` bounds it for a tenth.
 */
export type Collection = 'early' | 'soon';

const usual = { growthFactor: 2, growingPercent: 0 };

const settings: Readonly<Record<Collection, typeof usual>> = {
  // Young objects have the room that they had at the first page; old ones may become by a tenth more than was left of them.
  early: { growthFactor: 1, growingPercent: 10 },
  soon: { growthFactor: 2, growingPercent: 10 },
};

let isSet = false;

function set({ growthFactor, growingPercent }: typeof usual): void {
  setFlagsFromString(`--semi-space-growth-factor=${growthFactor}`);
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
}

/** Sets how V8 collects garbage from here on. A version of V8 that does not know these settings only needs more memory. */
export function collectGarbage(when: Collection): void {
  set(settings[when]);
  if (isSet) return;
  isSet = true;
  // V8 takes the code that scripts/start.cjs keeps at the end for the same settings only.
  process.prependOnceListener('exit', () => set(usual));
}
