import { Args, Flags } from '@oclif/core';
import { defineCommand } from '../../cli/command.js';
import { runExports } from '../../jobs/command.js';
import { outputFlags } from '../../cli/flags/output.js';

const jobFile = "'{version: 1, jobs: {marks: {command: mark list, profile: sandbox, output-file: marks.csv}}}'";

export default defineCommand(
  {
    summary: 'Run the exports of a job file, some at a time, with one summary and one exit code.',
    description:
      'Each job is a command that lists, with its flags by name and a file to write. The whole file is checked before ' +
      'anything is called. An export that was interrupted is gone on with. docs/exports.md shows what a job file holds.',
    examples: [
      `echo ${jobFile} > jobs.yaml && <%= config.bin %> export run jobs.yaml`,
      `echo ${jobFile} | <%= config.bin %> export run - --dry-run`,
      `echo ${jobFile} | <%= config.bin %> export run - --only marks --concurrency 1 -o json`,
    ],
    args: { file: Args.string({ required: true, description: 'The job file, or - for stdin.' }) },
    flags: {
      only: Flags.string({
        multiple: true,
        multipleNonGreedy: true,
        summary: 'Only this job; may be repeated.',
        helpValue: 'NAME',
      }),
      concurrency: Flags.string({ summary: 'Jobs under way at once: 1 to 16; the default is 2.', helpValue: 'N' }),
      'fail-fast': Flags.boolean({ summary: 'Begin no job after one has failed.' }),
      restart: Flags.boolean({ summary: 'Throw interrupted exports away and begin them anew.' }),
      'dry-run': Flags.boolean({ char: 'n', summary: 'Check the file, print the command of each job, call nothing.' }),
      summary: Flags.boolean({ allowNo: true, summary: 'Print the summary, also without a terminal; or do not.' }),
      ...outputFlags,
    },
  },
  ({ args, flags, context, config }) => runExports(context, config, { file: args.file, flags }),
);
