import { RelctlError, usage } from '../../../core/errors/relctl-error.js';
import type { ChangesFlags } from './list.js';
import { neutralGroup, option, switchFlag, type Values } from '../define.js';
import { durationOption, someDurationOption, wholeOption, inputFileOption } from '../kinds.js';
import { fileOf, type OutputFlags } from '../common.js';
import { wholeOf, type Bounds } from '../readers.js';

/** How many calls may be under way at once. */
export const callsAtOnce: Bounds = { least: 1, most: 16 };

/** How many rows a list is to have. */
export interface Expected {
  readonly rows: number;
  /** More are as well. */
  readonly isLeast: boolean;
}

/** What --expect asks for. Throws `usage`. */
function expectedOf(text: string, flag: string): Expected {
  const isLeast = text.startsWith('>=');
  const rows = wholeOf(isLeast ? text.slice(2) : text, flag, { least: 0, most: 2 ** 31 - 1 });
  return { rows, isLeast };
}

/** Flags of a list that is exported to a file. */
export const exportFlags = neutralGroup('EXPORT', {
  resume: switchFlag({ summary: 'Resume an export to --output-file that was interrupted, if one was.' }),
  restart: switchFlag({ summary: 'Throw an interrupted export away and begin anew.' }),
  meta: switchFlag({ summary: 'Write a report of the export to FILE.meta.json.' }),
  consistent: switchFlag({
    summary: 'Read the list again until two passes agree on its records; exit code 8 after four that do not.',
  }),
  expect: option(expectedOf)({
    summary: 'Exit code 8, and no file is replaced, unless the list has N rows, or at least N (>=N).',
    helpValue: 'N',
  }),
  'max-shrink': wholeOption({ least: 0, most: 100 })({
    summary:
      'Refuse to replace a list by one with so many per cent fewer rows (exit code 8); the default is 50, from 100 rows on.',
    helpValue: 'PERCENT',
  }),
  concurrency: wholeOption(callsAtOnce)({
    summary: 'Pages under way at once: 1 to 16; the default is 3.',
    env: 'RELCTL_CONCURRENCY',
  }),
  'lock-wait': durationOption({ summary: 'Wait for another run that writes the same file: 30s, 10m.' }),
  deadline: someDurationOption({ summary: 'Stop after this time, resumable: 90s, 30m, 2h.' }),
});

/** Values of those flags. */
export type ExportFlags = Values<typeof exportFlags>;

/** How many calls to keep under way. */
export const concurrencyOf = ({ concurrency = 3 }: Partial<ExportFlags>): number => concurrency;

/** Throws `partial` when a list has another number of rows than --expect says. */
export function checkExpected({ expect: expected }: Partial<ExportFlags>, rows: number): void {
  if (expected === undefined || (expected.isLeast ? rows >= expected.rows : rows === expected.rows)) return;
  const wanted = `${expected.isLeast ? 'at least ' : ''}${expected.rows}`;
  throw new RelctlError('partial', `the list has ${rows} rows, and --expect says ${wanted}`, {
    facts: { code: 'unexpected-count' },
  });
}

type FileFlags = Partial<ExportFlags & OutputFlags & ChangesFlags>;

/** Throws `usage` for flags that need a file to write to. */
export function checkExportFlags(flags: FileFlags): void {
  if (fileOf(flags) !== undefined) return;
  if (flags['max-shrink'] !== undefined && flags['changes-since'] === undefined) {
    throw usage('--max-shrink', '--max-shrink needs --output-file FILE, or --changes-since NAME');
  }
  const names = ['resume', 'restart', 'meta', 'consistent', 'lock-wait'] as const;
  const found = names.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (found === undefined) return;
  throw usage(`--${found}`, `--${found} needs --output-file FILE`);
}

/** Flags of a command that takes many ids. */
export const idsFlags = neutralGroup('IDS', {
  ids: inputFileOption({
    summary: 'Ask for each relation in this file, or in stdin by -: an Id a line, or the column Id of CSV or JSON.',
  }),
  concurrency: wholeOption(callsAtOnce)({
    summary: 'With --ids, calls under way at once: 1 to 16; the default is 3.',
    env: 'RELCTL_CONCURRENCY',
  }),
});
