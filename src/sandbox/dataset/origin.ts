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
  const makers = new Map<string, (index: number) => RecordValue>([
    [PvRelationData.name, (index) => relationMaker.whole(plan, index)],
    [PvRelationshipData.name, (index) => relationshipMaker.whole(plan, index)],
    [PvActivityData.name, (index) => activityMaker.whole(plan, index)],
  ]);
  return {
    record: (table, seq) => {
      const make = makers.get(table);
      if (make === undefined) throw new RelctlError('bug', `Nothing makes rows of ${table} again.`);
      // The rows of a data set are numbered from one.
      return make(seq - 1);
    },
  };
}
