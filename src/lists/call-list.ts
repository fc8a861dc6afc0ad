import type { RecordValue } from '../plain/value.js';
import type { CallOptions, Reply } from '../client/client.js';
import { pageInput, type AskedPage, type ListPlan } from './plan.js';
import type { Session } from '../cli/session/session.js';

/** The request of a list as it was sent: its period may begin at another time than planned. */
export const askedInput = ({ input, start }: ListPlan): RecordValue =>
  start === undefined ? input : { ...input, from: start.from };

interface ListCall {
  /** The page, of an operation that has pages. */
  readonly page?: AskedPage;
  readonly options?: CallOptions;
}

function callOnce({ client }: Session, plan: ListPlan, { page, options = {} }: ListCall): Promise<Reply> {
  const { operation, input, start } = plan;
  const paged = (asked: RecordValue): RecordValue => (page === undefined ? asked : pageInput(plan, asked, page));
  if (start === undefined) return client.callUntyped(operation, paged(input), options);
  return start.ask((from) => client.callUntyped(operation, paged({ ...input, from }), options));
}

/** Makes one call of a list. Throws what the call throws. */
export async function callList(session: Session, plan: ListPlan, call: ListCall): Promise<Reply> {
  const askedMs = performance.now();
  const reply = await callOnce(session, plan, call);
  plan.middleware?.answered?.({ date: reply.serverDate, tookMs: performance.now() - askedMs });
  return reply;
}
