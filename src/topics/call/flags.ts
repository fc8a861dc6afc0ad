import { bulkFlags } from '../../writes/flags.js';
import { switchFlag, type Values, neutral } from '../../kit/flags/define.js';
import { inputFileOption } from '../../kit/flags/kinds.js';
import { parameterFlags, readFlag, listChoiceFlags } from '../../lists/of-operation/operation-flags.js';
import { type CommonFlags, commonFlags, outputFlags, connectionFlags, writeCallFlags } from '../../kit/flags/common.js';
import { pagedListFlags, changesFlags } from '../../lists/list-flags.js';
import { csvFlags } from '../../kit/flags/csv.js';
import { usage } from '../../core/errors/relctl-error.js';

const { limit, resume, restart, consistent, expect, 'max-shrink': maxShrink, concurrency } = pagedListFlags;

/** Flags of lists that a call takes with --list. */
export const listFlags = {
  ...listChoiceFlags,
  ...changesFlags,
  ...connectionFlags,
  ...{ limit, resume, restart, consistent, expect, 'max-shrink': maxShrink, concurrency },
  ...outputFlags,
  explode: pagedListFlags.explode,
  ...csvFlags,
};

/** Flags that say something of the rows of a file, and of a list. */
export const sharedFlags = neutral({
  resume: {
    ...bulkFlags.resume,
    summary: 'Send the rows that were not sent, or failed; or resume an interrupted export.',
  },
  restart: { ...bulkFlags.restart, summary: 'Start over although the same file was written before.' },
  concurrency: {
    ...bulkFlags.concurrency,
    summary: 'Number of concurrent calls: 1 to 16; the default is 1 for writes, and 3 for pages.',
  },
  delimiter: { ...bulkFlags.delimiter, summary: 'Delimiter of the cells, in the input or the output.' },
  decimal: { ...bulkFlags.decimal, summary: 'Decimal separator, in the input or the output: point or comma.' },
  'null-as': { ...bulkFlags['null-as'], summary: 'Text of a cell without a value, in the input or the output.' },
});

/** Flags of a job that reads a list of an operation; --list comes first. */
export const listJobFlags: readonly string[] = [
  ...Object.keys({ ...listFlags, ...sharedFlags, ...commonFlags }),
  ...['param', 'input', 'read'],
];

const others = { ...writeCallFlags, ...bulkFlags };

/** True for a flag that no other call has, and that no variable sets. */
const isOfLists = (name: string): boolean => !Object.hasOwn(others, name);

const firstListFlag = (flags: Readonly<Record<string, unknown>>): string | undefined =>
  Object.keys(listFlags)
    .filter(isOfLists)
    .find((each) => flags[each] !== undefined && flags[each] !== false);

/** Throws `usage` for a flag that says nothing without --list. */
export function refuseOfLists(flags: Readonly<Record<string, unknown>>): void {
  const name = firstListFlag(flags);
  if (name !== undefined) throw usage(`--${name}`, `--${name} needs --list`, '--list MEMBER');
}

/** Flags that ask by names that something describes, or of pages. */
const notOfOpen = ['query', 'columns', 'where', 'sort', 'count', 'resume', 'restart', 'concurrency'];

/** Throws `usage` for a flag that says nothing of a list which nothing describes. */
export function refuseOfDescribed({ list, query, ...rest }: FreeCallFlags): void {
  const others: Readonly<Record<string, unknown>> = { query, ...rest };
  const name = notOfOpen.find((each) => others[each]) ?? firstListFlag(rest);
  if (name === undefined) return;
  throw usage(
    `--${name}`,
    `nothing describes ${list ?? ''}, so its rows come from one call: --${name} cannot be used with it`,
    {
      advice: '--query without --list queries the whole answer.',
    },
  );
}

/** Flags of `call`. */
export const callFlags = {
  ...parameterFlags,
  input: inputFileOption({
    summary:
      'Parameters as one JSON object or as XML, or a whole envelope to send unchanged; - reads stdin; 8 MiB at most.',
  }),
  'raw-output': switchFlag({ summary: 'Print the answer unchanged.' }),
  ...readFlag,
  write: switchFlag({ summary: 'Treat an operation that is not in the contract as a write.' }),
  ...listFlags,
  ...writeCallFlags,
  ...bulkFlags,
  ...sharedFlags,
};

/** Values of those flags. */
export type FreeCallFlags = Values<typeof callFlags> & CommonFlags;
