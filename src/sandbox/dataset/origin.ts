import type { RecordType } from '../../contract/build.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Origin } from '../store/open.js';
import { activityMaker } from './activities.js';
import { involvedMaker, lineMaker, markMaker } from './attached.js';
import { type DatasetParameters, type Maker, planOf } from './making.js';
import { numberMaker, relationMaker } from './people.js';
import { relationshipMaker } from './relationships.js';

type AnyMaker = Maker<RecordType>;

const makers: ReadonlyMap<string, AnyMaker> = new Map(
  [relationMaker, numberMaker, relationshipMaker, activityMaker, involvedMaker, lineMaker, markMaker].map((maker) => [
    maker.record.name,
    maker as AnyMaker,
  ]),
);

/** Makes the rows of a data set again that its database keeps in outline. */
export function originOf(parameters: DatasetParameters): Origin {
  const plan = planOf(parameters);
  const makerOf = (table: string): AnyMaker => {
    const maker = makers.get(table);
    if (maker === undefined) throw new RelctlError('bug', `Nothing makes rows of ${table} again.`);
    return maker;
  };
  return {
    // The rows of a data set are numbered from one.
    record: (table, seq, withValues) => makerOf(table).whole(plan, seq - 1, withValues),
    extra: (table, seq) => makerOf(table).extra?.(plan, seq - 1) ?? {},
    seqOf: (table, id) => {
      const { indexOf } = makerOf(table);
      if (indexOf === undefined) throw new RelctlError('bug', `Rows of ${table} cannot be found by their Id.`);
      const index = indexOf(plan, id);
      return index === undefined ? undefined : index + 1;
    },
  };
}
