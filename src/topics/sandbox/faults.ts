import { faultNames } from '../../sandbox/faults/kinds/catalogue.js';

/** What `sandbox start --help` says of the faults. */
export const faultHelp =
  'With --fault it injects faults, to test scripts and other clients. A SPEC names faults, and behind semicolons ' +
  'when they happen: latency=200ms,jitter=50ms;every=3;operation=RelationGetAll. Schedules: every, first, after, ' +
  'operation, page, share, seed. While it runs, GET, POST and DELETE of /faults change the plan, and the header ' +
  `x-sandbox-fault: SPEC sets the faults of one request. relctl help faults shows them all.\n\n${faultNames()}`;
