import type { Mistake } from './world.js';

/** Mistakes in what this machine keeps: profiles, secrets, files, locks. */
export const kept3: readonly Mistake[] = [
  [
    'an output that another run holds',
    'relation list -p eu --output-file $DIR/held.csv --lock-wait 0',
    11,
    'locked',
    '$DIR/held.csv is locked by an unknown process',
    'relctl relation list -p eu --output-file $DIR/held.csv --lock-wait 10m',
    { lock: 'held.csv' },
  ],
  ['a sandbox to stop that does not run', 'sandbox stop', 5, 'not-found', 'no sandbox runs', 'relctl sandbox start'],
  [
    'a protected profile without its name',
    'datastore create-item 00000000-0000-4000-8000-0000000000ff --field 00000000-0000-4000-8000-0000000000ff=x -p eu',
    2,
    'usage',
    "profile 'eu' is protected: will not make an entry in datastore 00000000-0000-4000-8000-0000000000ff without its name",
    'relctl datastore create-item 00000000-0000-4000-8000-0000000000ff --field 00000000-0000-4000-8000-0000000000ff=x -p eu --confirm eu',
    { settings: { protected: true } },
  ],
];
