import { SystemDatastoreType } from '../contract/enumerations.js';
import type { Source } from './store.js';

const whole = (table: string): Source => ({ name: table, table, input: {} });

/** What `mirror sync` reads when nothing was added: the lists that need no Id. */
export const usualSources: readonly Source[] = [
  whole('relations'),
  whole('relationships'),
  whole('telephone_book'),
  whole('products'),
  whole('marks'),
  whole('campaign_marks'),
  whole('sbi_codes'),
  ...SystemDatastoreType.values.map((type) => ({
    name: `system_datastores ${type}`,
    table: 'system_datastores',
    input: { systemDatastoreType: type },
  })),
];
