// Mocha's spec reporter with the reasons of all skips, and one line at the end that counts. In CI a skipped test counts
// as a failure: everything that a test may need can be installed there. A skip without a reason is one everywhere.
// SKIPPED_FILES names a file that takes the paths of the test files with skipped tests.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

/** One line for each reason. */
function summary(skipped) {
  const reasons = new Map();
  for (const { title, reason } of skipped) {
    const key = reason ?? `${title}: no reason given`;
    reasons.set(key, (reasons.get(key) ?? 0) + 1);
  }
  return [...reasons].map(([reason, count]) => `${count} skipped: ${reason}\n`).join('');
}

module.exports = class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    runner.on('pending', (test) =>
      // What test/support/skip.ts noted on the test.
      skipped.push({ title: test.fullTitle(), file: test.file, reason: test.skipReason }),
    );
    runner.once('end', () => {
      const isStrict = process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false';
      const wrong = isStrict ? skipped : skipped.filter(({ reason }) => reason === undefined);
      const right = skipped.length - wrong.length;
      const failed = this.stats.failures + wrong.length;
      process.stdout.write(summary(skipped));
      process.stdout.write(`${this.stats.passes} passed, ${failed} failed${right === 0 ? '' : `, ${right} skipped`}\n`);
      if (wrong.length > 0) process.on('exit', () => (process.exitCode ||= 1));
      const { SKIPPED_FILES: list } = process.env;
      if (list !== undefined) writeFileSync(list, [...new Set(skipped.map(({ file }) => `${file}\n`))].join(''));
    });
  }
};
