import { RelctlError } from '../errors/relctl-error.js';
import { momentOf } from '../lexical/moment.js';
import { checkedSetting, settingEntries } from '../profiles/settings.js';
import { linesOf } from '../cli/flags/csv.js';
import { durationMs, prefetchOf } from '../cli/flags/export.js';
import { guidOf } from '../cli/flags/values/guid.js';
import { pagingOf } from '../cli/flags/paging.js';
import { formatOf } from '../cli/output/output-choice.js';
import type { FlagFacts } from './job-commands.js';
import { usage } from '../errors/usage.js';

type Check = (text: string, flag: string) => unknown;

function moment(text: string, flag: string): void {
  // Only the form is looked at: which moment it is depends on the profile's zone and the time of the run.
  if (momentOf(text, { nowMs: 0, zone: 'UTC' }) !== undefined) return;
  throw usage(undefined, `${flag} takes a time such as 2026-01-31T09:30, a date, today or -7d, not '${text}'`);
}

/** What the commands themselves look at before they call anything, by the name of the flag. */
const byName: Readonly<Record<string, Check>> = {
  output: (text) => formatOf({ output: text }, undefined),
  limit: (text) => pagingOf({ limit: text }),
  page: (text) => pagingOf({ page: text }),
  concurrency: (text) => prefetchOf({ concurrency: text }),
  'lock-wait': durationMs,
  deadline: durationMs,
  delimiter: (text) => linesOf({ delimiter: text }),
  'line-ending': (text) => linesOf({ 'line-ending': text }),
  from: moment,
  to: moment,
};

function checkOf({ name, helpValue, options }: FlagFacts): Check {
  const own = Object.hasOwn(byName, name) ? byName[name] : undefined;
  if (own !== undefined) return own;
  if (helpValue === 'GUID') return guidOf;
  const setting = settingEntries.find(([, { flag, isSecret }]) => flag === name && isSecret !== true)?.[0];
  if (setting !== undefined) return (text, flag) => checkedSetting(setting, text, flag);
  return (text, flag) => {
    if (options === undefined || options.includes(text)) return;
    throw usage(undefined, `${flag} takes one of ${options.join(', ')}, not '${text}'`);
  };
}

/** True for a text that no command line should hold, or can. */
export const isUnfit = (text: string): boolean => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text);

/** What is wrong with a value of a flag, in words; undefined when nothing is, as far as can be told without a run. */
export function wrongValue(flag: FlagFacts, text: string): string | undefined {
  if (isUnfit(text)) return `--${flag.name} holds a line break or a control character`;
  try {
    checkOf(flag)(text, `--${flag.name}`);
    return undefined;
  } catch (thrown) {
    const { message, hint, kind } = RelctlError.from(thrown);
    if (kind === 'bug') throw thrown;
    return hint === undefined ? message : `${message} (${hint})`;
  }
}
