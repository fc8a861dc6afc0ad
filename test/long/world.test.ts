import { playSchedules, type Kind } from '../support/world/schedule.js';
import { exports } from '../support/world/exports.js';
import { mirror } from '../support/world/mirror.js';
import { writes } from '../support/world/writes.js';

const numberOf = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined || text === '' ? undefined : Number(text);
};

// RELCTL_MODEL_SECONDS plays each kind for that long; RELCTL_MODEL_SEED plays one schedule again.
describe('relctl in a world of a service, a network, a disk and time', function () {
  const seed = numberOf('RELCTL_MODEL_SEED');
  const seconds = numberOf('RELCTL_MODEL_SECONDS');
  this.timeout(0);

  const plays = (kind: Kind, most: number): Promise<void> => {
    if (seed !== undefined) return playSchedules(kind, { first: seed, most: 1 });
    return playSchedules(kind, seconds === undefined ? { first: 1, most } : { first: 1, most: Infinity, seconds });
  };

  it(`writes whole files or none, each row once: ${exports.name}`, () => plays(exports, 60));

  it(`carries nothing out twice, and tells the truth of each row: ${writes.name}`, () => plays(writes, 60));

  it(`shows what the service had, and tells each difference once: ${mirror.name}`, () => plays(mirror, 10));
});
