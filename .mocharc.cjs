const { availableParallelism } = require('node:os');

module.exports = {
  import: ['tsx'],
  require: ['./test/support/cases.ts', './test/support/kernel.ts'],
  extension: ['ts'],
  timeout: 600_000,
  exit: true,
  'forbid-only': true,
  reporter: './test/support/reporter.cjs',
  // For --parallel. Tests of the program wait for its processes, so that more of them than cores are under way.
  jobs: Math.max(2, availableParallelism()),
};
