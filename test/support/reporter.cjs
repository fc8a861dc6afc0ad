// Mocha's spec reporter with one line at the end that counts. In CI a skipped test counts as a failure: everything that
// a test may need can be installed there.
const { reporters } = require('mocha');

module.exports = class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    runner.on('pending', (test) => skipped.push(test.fullTitle()));
    runner.once('end', () => {
      const isStrict = process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false';
      const failed = this.stats.failures + (isStrict ? skipped.length : 0);
      for (const title of skipped) process.stdout.write(`skipped: ${title}\n`);
      const left = isStrict || skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
      process.stdout.write(`${this.stats.passes} passed, ${failed} failed${left}\n`);
      if (isStrict && skipped.length > 0) process.on('exit', () => (process.exitCode = 1));
    });
  }
};
