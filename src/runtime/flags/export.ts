import { Flags } from '@oclif/core';
import { RelctlError } from '../../errors/relctl-error.js';
import { integerFlag } from './checked.js';

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
  throw new RelctlError(
    'usage',
    `${flag} takes a length of time such as 30s, 10m or 2h, 24 days at most, not '${text}'`,
    {
      facts: { path: flag },
    },
  );
}

/** Pages to fetch beyond the one being written. Throws `usage`. */
export const prefetchOf = (flags: ExportFlags): number =>
  (integerFlag(flags.concurrency, '--concurrency', { least: 1, most: 16 }) ?? 3) - 1;

/** Throws `usage` for flags that need a file to write to. */
export function checkExportFlags(flags: ExportFlags & { readonly 'output-file'?: string | undefined }): void {
  const file = flags['output-file'];
  if (file !== undefined && file !== '-') return;
  const names = ['resume', 'restart', 'meta', 'consistent', 'lock-wait'] as const;
  const found = names.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (found === undefined) return;
  throw new RelctlError('usage', `--${found} needs --output-file FILE`, { facts: { path: `--${found}` } });
}
