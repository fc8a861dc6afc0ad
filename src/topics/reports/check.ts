import { connectionFlags } from '../../cli/flags/connection.js';
import { argument, neutral, option, switchFlag, type Values } from '../../cli/flags/define.js';
import { maxAgeFlag, mirrorFlags } from '../../cli/flags/mirror.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { printRecords } from '../../cli/output/open-output.js';
import { askingOf } from '../../cli/output/questions.js';
import type { OutputRequest } from '../../cli/output/record-output.js';
import { inRole, recordWithoutPresence, req } from '../../contract/build.js';
import { int, string } from '../../contract/scalars.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { perhaps, usage } from '../../errors/usage.js';
import type { Context } from '../../host/context.js';
import { nearest } from '../../lexical/nearest.js';
import type { Database } from '../../sqlite/open.js';
import { checkNames, checks, type Check } from './checks.js';
import { openReported } from './mirror.js';
import { addNumbers } from './numbers.js';
import { printReport, reportFlags } from './print.js';

/** The name of a check. Throws `usage` for a text that is none. */
function checkNamed(text: string, place: string): string {
  if (checkNames.includes(text)) return text;
  throw usage(
    place,
    `${place}: there is no check '${text}'; there are ${checkNames.join(', ')}`,
    perhaps(text, nearest(text, checkNames)),
  );
}

/** The argument of `check`. */
export const checkArg = argument(checkNamed, { offers: checkNames })({
  description: `Print the rows of this check: ${checkNames.join(', ')}.`,
});

const namesIn = (text: string, place: string): readonly string[] =>
  text.split(',').map((name) => checkNamed(name.trim(), place));

/** Flags of `check`. */
export const checkFlags = {
  only: option(namesIn, { helpValue: 'A,B', offers: checkNames })({ summary: 'Count for these checks alone.' }),
  'exit-code': switchFlag({ summary: 'End with exit code 12 when rows were found.' }),
  profile: connectionFlags.profile,
  ...neutral(mirrorFlags),
  ...maxAgeFlag,
  ...reportFlags,
};

type CheckFlags = Values<typeof checkFlags> & CommonFlags;

/** A row of `check`. */
export const CheckLine = recordWithoutPresence('CheckCount', 'How many rows a check found.', {
  Check: inRole('name', req(string, 'Name of the check.')),
  Rows: req(int, 'Rows that it found.'),
  Meaning: inRole('words', req(string, 'What these rows are.')),
});

async function opened(context: Context, flags: CheckFlags, wanted: readonly Check[]): Promise<Database> {
  const database = await openReported(context, flags, [...new Set(wanted.flatMap(({ needs }) => needs))]);
  if (wanted.some(({ usesNumbers }) => usesNumbers)) await addNumbers(context, database);
  return database;
}

const countOf = (database: Database, { sql }: Check): number =>
  Number(database.statement(`SELECT count(*) FROM (${sql})`).first()?.[0] ?? 0);

async function showCounts(context: Context, flags: CheckFlags): Promise<number> {
  const wanted = checks.filter(({ name }) => flags.only?.includes(name) ?? true);
  const database = await opened(context, flags, wanted);
  const lines = wanted.map((check) => ({ Check: check.name, Rows: countOf(database, check), Meaning: check.meaning }));
  const request: OutputRequest = { flags, record: CheckLine, shape: 'list', table: ['Check', 'Rows', 'Meaning'] };
  const asking = await askingOf(request);
  await printRecords(context, request, () => lines);
  // A line that --filter drops was not asked about.
  return lines.filter((line) => asking?.keeps(line) ?? true).reduce((sum, { Rows }) => sum + Rows, 0);
}

async function showRows(context: Context, flags: CheckFlags, check: Check): Promise<number> {
  const database = await opened(context, flags, [check]);
  const { record, columns, sql, meaning } = check;
  return printReport(context, flags, { record, table: columns, blank: `No ${meaning}.`, database, sql });
}

/**
 * Prints how many rows each check finds in the mirror, or the rows of one. Throws `usage`, `not-found` without a mirror,
 * `local` and `profile`, and after its output, with --exit-code, `different` when there are rows.
 */
export async function runCheck(context: Context, flags: CheckFlags, name: string | undefined): Promise<void> {
  const check = checks.find((each) => each.name === name);
  if (check !== undefined && flags.only !== undefined) {
    throw usage('--only', '--only chooses among the counts, and a NAME prints the rows of one check', {
      advice: 'Give one of them.',
    });
  }
  if (check === undefined && flags.limit !== undefined)
    throw usage('--limit', '--limit goes with the NAME of a check, whose rows it limits');
  const rows = await (check === undefined ? showCounts(context, flags) : showRows(context, flags, check));
  if (rows > 0 && flags['exit-code']) throw new RelctlError('different', `${name ?? 'the checks'}: rows were found`);
}
