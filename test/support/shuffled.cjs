// Puts the files of a run in random order: `npm run test:shuffled`, or
// `mocha --require ./test/support/shuffled.cjs FILE…`. SEED repeats an order; the seed of each run is printed.
// SHUFFLE=tests shuffles the suites and tests of each file too: not all files stand that, because in some a test goes on
// where the one before it ended.

/** Numbers in [0, 1) that a seed repeats (mulberry32). */
function numbersFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffle(list, random) {
  for (let left = list.length - 1; left > 0; left -= 1) {
    const other = Math.floor(random() * (left + 1));
    [list[left], list[other]] = [list[other], list[left]];
  }
}

function shuffleFiles(root, random) {
  const files = [...new Set(root.suites.map(({ file }) => file))].sort();
  shuffle(files, random);
  // The sort is stable: the suites of one file stay in their order.
  root.suites.sort((left, right) => files.indexOf(left.file) - files.indexOf(right.file));
}

function shuffleSuite(suite, random) {
  shuffle(suite.tests, random);
  shuffle(suite.suites, random);
  for (const inner of suite.suites) shuffleSuite(inner, random);
}

// The workers of --parallel, which get the environment of the process that starts them, draw by the same seed.
process.env.SEED ??= String(Math.floor(Math.random() * 2 ** 32));
const random = numbersFrom(Number(process.env.SEED));

/** Once a run, in the process that was started; `this` is the runner. */
exports.mochaGlobalSetup = function () {
  process.stdout.write(`In random order. SEED=${process.env.SEED} repeats it.\n`);
  if (!this.isParallelMode()) return;
  // Here only the names of the files are known, which the workers take from the first to the last.
  const run = this.run.bind(this);
  this.run = (done, { files, ...rest }) => {
    const shuffled = [...files].sort();
    shuffle(shuffled, random);
    return run(done, { ...rest, files: shuffled });
  };
};

exports.mochaHooks = {
  // Every file of this process is loaded by now, and mocha has not begun to walk them.
  beforeAll() {
    const shuffleAll = process.env.SHUFFLE === 'tests' ? shuffleSuite : shuffleFiles;
    shuffleAll(this.test.parent, random);
  },
};
