import { parseArgs } from 'node:util';

/** What the bench is asked for. */
export interface Options {
  /** Names of the sections to run, in their own order. */
  readonly sections: readonly string[];
  readonly isQuick: boolean;
  /** Whether the page under docs is written. */
  readonly isWritten: boolean;
  /** Whether a missed goal is a failure. */
  readonly isCheck: boolean;
  /** Whether a goal that could not be measured passes the check. */
  readonly mayBeUnmeasured: boolean;
  readonly rounds: number | undefined;
}

function roundsOf(text: string | undefined): number | undefined {
  const rounds = Number(text ?? 1);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number above 0');
  return text === undefined ? undefined : rounds;
}

/**
 * Reads the arguments of the bench: names of sections, `--quick`, `--write`, `--check`, `--allow-missing`, `--rounds N`.
 * Throws an Error for those that do not go together: the page holds whole runs only, and quick figures are no verdicts.
 */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      'allow-missing': { type: 'boolean', default: false },
      rounds: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`no section '${unknown}'; there are ${known.join(', ')}`);
  const rounds = roundsOf(values.rounds);
  const isPart = values.quick || positionals.length > 0 || rounds !== undefined;
  if (values.write && isPart) throw new Error('--write goes with a whole run only: no sections, --quick or --rounds');
  if (values.check && values.quick) throw new Error('--check does not go with --quick, whose figures say nothing');
  return {
    sections: positionals.length === 0 ? known : known.filter((name) => positionals.includes(name)),
    isQuick: values.quick,
    isWritten: values.write,
    isCheck: values.check,
    mayBeUnmeasured: values['allow-missing'],
    rounds,
  };
}
