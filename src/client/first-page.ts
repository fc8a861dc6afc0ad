import { RelctlError } from '../core/errors/relctl-error.js';
import type { FetchedPage } from './paging.js';
import { isTooSlow } from './retry.js';

/** HTTP statuses without SOAP of a service that broke down, or of a gateway that had enough of it. */
const brokeDown: ReadonlySet<number> = new Set([413, 500, 502]);

/** True for a failure that a smaller page may not have: the service had the request, and said no or did not get it done. */
export function mayBeTooLarge(error: RelctlError): boolean {
  const { kind, facts } = error;
  if (facts.unsent === true || facts.code === 'unknown-action') return false;
  if (kind === 'refused' || kind === 'bad-answer') return true;
  return kind === 'no-answer' && (isTooSlow(error) || facts.code === 'reset' || brokeDown.has(facts.httpStatus ?? 0));
}

/** A page that was fetched, and whether it may be the end of the list. */
export interface Arrived {
  readonly fetched: FetchedPage;
  readonly isLast: boolean;
}

interface FirstPage {
  readonly larger: () => Promise<Arrived>;
  readonly smaller: () => Promise<Arrived>;
}

/**
 * Gets the first page by the larger size, and by the smaller one when that fails or brings no rows: some services answer so
 * when they are asked for too many. Gives the reason too where only the smaller one brought something. Throws what `smaller`
 * throws, and what `larger` throws for a reason that has nothing to do with the size.
 */
export async function firstPage({ larger, smaller }: FirstPage): Promise<Arrived & { readonly refusal?: string }> {
  let failure: RelctlError | undefined;
  try {
    const arrived = await larger();
    if (!arrived.isLast) return arrived;
  } catch (thrown) {
    failure = RelctlError.from(thrown);
    if (!mayBeTooLarge(failure)) throw failure;
  }
  const arrived = await smaller();
  if (failure === undefined && arrived.isLast) return arrived;
  return { ...arrived, refusal: failure?.message ?? 'no row came' };
}
