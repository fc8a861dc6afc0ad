import { Flags } from '@oclif/core';
import { RelctlError } from '../../errors/relctl-error.js';
import { integerFlag } from './checked.js';
import { usage } from '../../errors/usage.js';

const helpGroup = 'EXPORT';

/** Flags of a list that is exported to a file. */
export const exportFlags = {
  resume: Flags.boolean({
    summary: 'Go on with an export to --output-file that was interrupted, if one was.',
    helpGroup,
  }),
  restart: Flags.boolean({ summary: 'Throw an interrupted export away and begin anew.', helpGroup }),
  meta: Flags.boolean({ summary: 'Write what can be said of the export to FILE.meta.json.', helpGroup }),
  consistent: Flags.boolean({
    summary: 'Read the list again until two passes agree on its records; exit code 8 after four that do not.',
    helpGroup,
  }),
  expect: Flags.string({
    summary: 'Exit code 8, and no file is replaced, unless the list has N rows, or at least N (>=N).',
    helpValue: 'COUNT',
    helpGroup,
  }),
  'max-shrink': Flags.string({
    summary:
      'Refuse to replace a list by one with so many per cent fewer rows (exit code 8); the default is 50, from 100 rows on.',
    helpValue: 'PERCENT',
    helpGroup,
  }),
  concurrency: Flags.string({
    summary: 'Pages under way at once: 1 to 16; the default is 3.',
    helpValue: 'N',
    helpGroup,
  }),
  progress: Flags.boolean({ summary: 'Tell how far it is, also without a terminal.', helpGroup }),
  'lock-wait': Flags.string({
    summary: 'Wait for another run that writes the same file: 30s, 10m.',
    helpValue: 'TIME',
    helpGroup,
  }),
  deadline: Flags.string({ summary: 'Stop after this time, resumable: 90s, 30m, 2h.', helpValue: 'TIME', helpGroup }),
};

/** Values of those flags, as given. */
export interface ExportFlags {
  readonly resume?: boolean | undefined;
  readonly restart?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly consistent?: boolean | undefined;
  readonly expect?: string | undefined;
  readonly 'max-shrink'?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly progress?: boolean | undefined;
  readonly 'lock-wait'?: string | undefined;
  readonly deadline?: string | undefined;
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** What a timer can hold: more would end at once. */
const mostMs = 2 ** 31 - 1;

/** A length of time in milliseconds; undefined when it was not given. Throws `usage` that names the flag. */
export function durationMs(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? 0);
  if (ms <= mostMs) return ms;
  throw usage(flag, `${flag} takes a length of time such as 30s, 10m or 2h, 24 days at most, not '${text}'`);
}

/** Pages to fetch beyond the one being written. Throws `usage`. */
export const prefetchOf = (flags: ExportFlags): number =>
  (integerFlag(flags.concurrency, '--concurrency', { least: 1, most: 16 }) ?? 3) - 1;

/** Most that a list may lose of what it was, in per cent; undefined when it was not given. Throws `usage`. */
export const maxShrinkOf = (flags: ExportFlags): number | undefined =>
  integerFlag(flags['max-shrink'], '--max-shrink', { least: 0, most: 100 });

/** How many rows a list is to have. */
export interface Expected {
  readonly rows: number;
  /** More are as well. */
  readonly isLeast: boolean;
}

/** What --expect asks for; undefined when it was not given. Throws `usage`. */
export function expectedOf({ expect }: ExportFlags): Expected | undefined {
  if (expect === undefined) return undefined;
  const isLeast = expect.startsWith('>=');
  const rows = integerFlag(isLeast ? expect.slice(2) : expect, '--expect', { least: 0, most: 2 ** 31 - 1 });
  return rows === undefined ? undefined : { rows, isLeast };
}

/** Throws `partial` when a list has another number of rows than --expect says. */
export function checkExpected(flags: ExportFlags, rows: number): void {
  const expected = expectedOf(flags);
  if (expected === undefined || (expected.isLeast ? rows >= expected.rows : rows === expected.rows)) return;
  const wanted = `${expected.isLeast ? 'at least ' : ''}${expected.rows}`;
  throw new RelctlError('partial', `the list has ${rows} rows, and --expect says ${wanted}`, {
    facts: { code: 'unexpected-count' },
  });
}

type FileFlags = ExportFlags & {
  readonly 'output-file'?: string | undefined;
  readonly 'changes-since'?: string | undefined;
};

/** Throws `usage` for flags that need a file to write to, and for counts that are none. */
export function checkExportFlags(flags: FileFlags): void {
  expectedOf(flags);
  maxShrinkOf(flags);
  const file = flags['output-file'];
  if (file !== undefined && file !== '-') return;
  if (flags['max-shrink'] !== undefined && flags['changes-since'] === undefined) {
    throw usage('--max-shrink', '--max-shrink needs --output-file FILE, or --changes-since NAME');
  }
  const names = ['resume', 'restart', 'meta', 'consistent', 'lock-wait'] as const;
  const found = names.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (found === undefined) return;
  throw usage(`--${found}`, `--${found} needs --output-file FILE`);
}
