import { playSchedules } from '../support/world/schedule.js';
import { writes } from '../support/world/writes.js';

const plays = (seed: number): Promise<void> => playSchedules(writes, { first: seed, most: 1 });

describe('The rows of a file, written in a world of a service, a network, a disk and time', () => {
  // For longer: test/long/world.test.ts.
  it('are carried out once, and what is told of each is so, whatever is killed, torn, lost or late', () =>
    playSchedules(writes, { first: 1001, most: 15 }));

  it('go on when a run was killed after its results got their name', () => plays(4));

  it('stay unknown when a second sending comes to nothing that nobody had looked before', () => plays(54));

  it('are not sent anew when power was lost just after their journal was made', async () => {
    await plays(74);
    await plays(93);
  });

  it('end as interrupted by Ctrl-C while they wait because the service is busy', () => plays(100189));

  it('stay done that were told as done when the power fails afterwards', () => plays(200293));

  it('begin when a run was killed amid the first line of their journal', () => plays(100904));
});
