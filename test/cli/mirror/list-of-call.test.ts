import { join } from 'node:path';
import { callPlace, mirrorsCalls } from '../../support/mirror/calls.js';

describe('A list of an operation in a mirror', () => {
  const place = callPlace();
  mirrorsCalls(place, { to: () => ['--mirror', join(place.here().folder, 'mirror.db')] });
});
