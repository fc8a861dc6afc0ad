import { PvActivityData } from '../../contract/records/activity.js';
import { PvRelationData } from '../../contract/records/relation.js';
import { PvRelationshipData } from '../../contract/records/relationship.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { RecordValue } from '../../plain/value.js';
import type { Origin } from '../store/open.js';
import { activityMaker } from './activities.js';
import { type DatasetParameters, planOf } from './making.js';
import { relationMaker } from './people.js';
import { relationshipMaker } from './relationships.js';

/** Makes the rows of a data set again that its database keeps in outline. */
export function originOf(parameters: DatasetParameters): Origin {
  const plan = planOf(parameters);
  const makers = new Map<string, (index: number, withValues: boolean) => RecordValue>([
    [PvRelationData.name, (...at) => relationMaker.whole(plan, ...at)],
    [PvRelationshipData.name, (...at) => relationshipMaker.whole(plan, ...at)],
    [PvActivityData.name, (...at) => activityMaker.whole(plan, ...at)],
  ]);
  return {
    record: (table, seq, withValues) => {
      const make = makers.get(table);
      if (make === undefined) throw new RelctlError('bug', `Nothing makes rows of ${table} again.`);
      // The rows of a data set are numbered from one.
      return make(seq - 1, withValues);
    },
  };
}
