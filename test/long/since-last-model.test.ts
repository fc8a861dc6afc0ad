import { playSchedules } from '../support/since-model/play.js';

const numberOf = (name: string): number | undefined => {
  const text = process.env[name];
  return text === undefined || text === '' ? undefined : Number(text);
};

// RELCTL_MODEL_SECONDS plays for that long; RELCTL_MODEL_SEED plays one schedule again.
describe('--since-last, played against a model of a service, a disk and clocks, for a minute', function () {
  const seed = numberOf('RELCTL_MODEL_SEED');
  this.timeout(0);

  it('loses no change and always gets on, whatever is killed, torn, moved or set back', () =>
    playSchedules(
      seed === undefined
        ? { first: 1, most: Number.POSITIVE_INFINITY, seconds: numberOf('RELCTL_MODEL_SECONDS') ?? 60 }
        : { first: seed, most: 1 },
    ));
});
