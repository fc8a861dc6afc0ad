import { mirror } from '../support/world/mirror.js';
import { playSchedules } from '../support/world/schedule.js';

const plays = (seed: number): Promise<void> => playSchedules(mirror, { first: seed, most: 1 });

// Each run of it collects garbage, which takes the longer the more other tests a process has held.
describe('A mirror in a world of a service, a network, a disk and time', () => {
  // For longer: world.test.ts.
  it('shows what the service had, and tells each difference once, whatever is killed, lost or moved', () =>
    playSchedules(mirror, { first: 1001, most: 5 }));

  it('has all of its lists when its first sync was killed while it wrote them down', () => plays(167));

  it('shows no record of a list without pages that only an interrupted sync of it saw', () => plays(4954));

  it('shows no row of a first sync that left before the second of two interruptions', () => plays(5900));

  it('shows no entry of a telephone book that was another one at the second of two interruptions', () => plays(7411));

  it('tells what an interrupted sync brought when the next one has other pages', () => plays(169));
});
