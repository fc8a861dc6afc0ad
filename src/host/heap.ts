import { setFlagsFromString } from 'node:v8';

const usual = { growthFactor: 2, growingPercent: 0 };

/** Young objects have the room that they had at the first page; old ones may become by a tenth more than was left of them. */
const early = { growthFactor: 1, growingPercent: 10 };

let isSet = false;

function set({ growthFactor, growingPercent }: typeof usual): void {
  setFlagsFromString(`--semi-space-growth-factor=${growthFactor}`);
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
}

/**
 * Makes V8 collect garbage early from here on, for a list. What a long list keeps is little, but its pages, and the bytes
 * that came, live long enough to be taken for something that stays: left alone, the heap grows to several times its content
 * before V8 looks again. A version of V8 that does not know these settings only needs more memory.
 */
export function collectGarbage(): void {
  if (isSet) return;
  isSet = true;
  set(early);
  // V8 takes the code that scripts/start.cjs keeps at the end for the same settings only.
  process.prependOnceListener('exit', () => set(usual));
}
