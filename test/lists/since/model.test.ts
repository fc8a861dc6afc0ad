import { playSchedules } from '../../support/since-model/play.js';

describe('--since-last, played against a model of a service, a disk and clocks', () => {
  // For a minute: test/long/since-last-model.test.ts.
  it('loses no change and always gets on, whatever is killed, torn, moved or set back', () =>
    playSchedules({ first: 1, most: 60 }));
});
