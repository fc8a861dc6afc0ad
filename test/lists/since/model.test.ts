import { playSchedules } from '../../support/world/play.js';
import { since } from '../../support/world/since/play.js';

describe('--since-last, played against a model of a service, a disk and clocks', () => {
  // For longer: test/long/world.test.ts.
  it('loses no change and always gets on, whatever is killed, torn, moved or set back', () =>
    playSchedules(since, { first: 1, most: 20 }));
});
