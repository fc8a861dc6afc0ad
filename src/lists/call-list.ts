import type { RecordValue } from '../plain/value.js';
import type { CallOptions, Reply } from '../client/client.js';
import { pageInput, usualPeriod, type AskedPage, type ListPlan } from './plan.js';
import type { Session } from '../cli/session/session.js';

/** The request of a list as it was sent: its period may begin at another time than planned. */
export const askedInput = ({ input, start, period = usualPeriod }: ListPlan): RecordValue =>
  start === undefined ? input : { ...input, [period.from]: start.from };

interface ListCall {
  /** The page, of an operation that has pages. */
  readonly page?: AskedPage;
  readonly options?: CallOptions;
}

function callOnce({ client }: Session, plan: ListPlan, { page, options = {} }: ListCall): Promise<Reply> {
  const { operation, input, start, period = usualPeriod } = plan;
  const paged = (asked: RecordValue): RecordValue => (page === undefined ? asked : pageInput(plan, asked, page));
  if (start === undefined) return client.callUntyped(operation, paged(input), options);
  return start.ask((from) => client.callUntyped(operation, paged({ ...input, [period.from]: from }), options));
}

/**
 * Makes one call of a list, and once more when the answer shows that the period has to begin at another time. Throws what
 * the call and the middleware throw.
 */
export async function callList(session: Session, plan: ListPlan, call: ListCall): Promise<Reply> {
  const { middleware, start } = plan;
  for (;;) {
    const askedMs = performance.now();
    const reply = await callOnce(session, plan, call);
    const from = start?.from;
    await middleware?.answered({ date: reply.serverDate, tookMs: performance.now() - askedMs });
    if (start?.from === from) return reply;
  }
}
