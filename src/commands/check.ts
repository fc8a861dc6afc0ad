import { defineCommand } from '../cli/command.js';
import { checkArg, checkFlags, CheckLine, runCheck } from '../topics/reports/check.js';
import { checks } from '../topics/reports/checks.js';

export default defineCommand(
  {
    summary: 'Look for mistakes in the mirror: double keys and numbers, missing relations, salutations and numbers.',
    description:
      'Counts for each check; with NAME its rows. Import keys are the same to the letter. Telephone numbers are the same ' +
      'however they are written; one that does not say its country may be of any. Mailings go to relationships that are in ' +
      'use and did not opt out. Mirrors in PostgreSQL are not read.',
    examples: [
      '<%= config.bin %> mirror sync --profile sandbox && <%= config.bin %> check --profile sandbox',
      '<%= config.bin %> mirror sync --profile sandbox && <%= config.bin %> check salutations -o csv --profile sandbox',
      '<%= config.bin %> mirror sync --profile sandbox && <%= config.bin %> check --only missing-relations --exit-code --profile sandbox',
    ],
    args: { name: checkArg },
    prints: [CheckLine, ...checks.map(({ record }) => record)],
    flags: checkFlags,
  },
  ({ args, flags, context }) => runCheck(context, flags, args.name),
);
