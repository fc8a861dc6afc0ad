import type { RecordValue } from '../plain/value.js';
import type { CallOptions, Reply } from '../client/client.js';
import type { ListPlan } from './plan.js';
import type { Session } from '../cli/session.js';

/** The request of a list as it was sent: its period may begin at another time than planned. */
export const askedInput = ({ input, start }: Pick<ListPlan, 'input' | 'start'>): RecordValue =>
  start === undefined ? input : { ...input, from: start.from };

interface ListCall {
  /** Page number and size, of an operation that has them. */
  readonly paging?: RecordValue;
  readonly options?: CallOptions;
}

function callOnce({ client }: Session, { operation, input, start }: ListPlan, call: ListCall): Promise<Reply> {
  const { paging = {}, options = {} } = call;
  if (start === undefined) return client.callUntyped(operation, { ...input, ...paging }, options);
  return start.ask((from) => client.callUntyped(operation, { ...input, from, ...paging }, options));
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
