import { join } from 'node:path';
import { callPlace, mirrorsCalls } from '../support/mirror/calls.js';

describe('A list of an operation in a mirror in a file', () => {
  const place = callPlace();
  mirrorsCalls(place, { to: () => ['--to', join(place.here().folder, 'mirror.db')] });
});
