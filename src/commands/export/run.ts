import { JobLine, exportRunFlags, runExports } from '../../jobs/command.js';
import { fileArg } from '../../kit/flags/kinds.js';
import { defineCommand } from '../../kit/command.js';

const jobFile =
  "printf '%s\\n' 'version: 1' 'defaults: {profile: sandbox}' 'jobs: {marks: {command: mark list, output-file: marks.csv}}'";

export default defineCommand({
  summary: 'Run the exports of a job file concurrently, with one summary and one exit code.',
  description:
    'Each job is a list command, with its flags by name and a file to write. relctl checks the whole file before ' +
    'it calls the service, and resumes interrupted exports. relctl help exports describes the job file.',
  examples: [
    `${jobFile} > jobs.yaml && <%= config.bin %> export run jobs.yaml`,
    `${jobFile} | <%= config.bin %> export run - --dry-run`,
    `${jobFile} | <%= config.bin %> export run - --only marks --concurrency 1 -o json`,
  ],
  args: { file: fileArg({ required: true, description: 'The job file, or - for stdin.' }) },
  prints: [JobLine],
  flags: exportRunFlags,
  run: ({ args, flags, context, config }) => runExports(context, config, { file: args.file, flags }),
});
