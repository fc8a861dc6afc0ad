import { badPeriod } from '../refusals.js';
import { instantKey } from '../store/instant.js';
import { refuse } from './handler.js';

/** A period by sort keys; both ends belong to it. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The period of a request (interface document, Additional rules, 3). Refuses one that ends before it begins. */
export function periodOf(input: { readonly from?: string | null; readonly to?: string | null }): Period {
  const from = instantKey(input.from ?? '') ?? '';
  const to = instantKey(input.to ?? '') ?? '9999-12-31T23:59:59.9999999Z';
  if (from > to) refuse({ ...badPeriod, description: 'The period ends before it begins.' });
  return { from, to };
}
