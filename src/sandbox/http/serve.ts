import { defined } from '../../core/values/value.js';
import type { HttpHandler } from '../../soap/transport/http.js';
import type { Serve } from '../context.js';
import { createFaultAdmin, type FaultPlan } from '../faults/plan.js';
import { withFaults } from '../faults/with-faults.js';
import { createEndpoint, type Sandbox } from '../sandbox.js';
import { logged, turnedAway, type LogWriter } from './log.js';
import { startServer, type RunningServer } from './server.js';

/** How to serve a sandbox. */
export interface Serving {
  readonly port?: number;
  /** The faults to apply; without a plan there are none, and requests cannot ask for one. */
  readonly faults?: FaultPlan;
  readonly log?: LogWriter;
}

function endpointOf(sandbox: Sandbox, { faults, log }: Serving): HttpHandler {
  const serve: Serve = ({ context, request }) => createEndpoint(context)(request);
  const disturbed = faults === undefined ? serve : withFaults(serve, faults);
  const outermost = log === undefined ? disturbed : logged(disturbed, log);
  return (request) => outermost({ context: sandbox, request });
}

/** Serves an open sandbox on the loopback address. Throws RelctlError `local`. */
export function serveSandbox(sandbox: Sandbox, serving: Serving = {}): Promise<RunningServer> {
  const { port, faults, log } = serving;
  return startServer({
    endpoint: endpointOf(sandbox, serving),
    publicUrl: sandbox.publicUrl,
    ...defined({ port, besides: faults && createFaultAdmin(faults) }),
    ...(log === undefined
      ? {}
      : { onTurnedAway: (request, status) => log.write(turnedAway(request, { at: sandbox.now(), status })) }),
  });
}
