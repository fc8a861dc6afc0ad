import { productMembers } from './product-flags.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import type { RecordType } from '../../contract/build.js';
import { kindOfType } from '../../formats/edits/cell-state.js';
import type { EditColumn, EditList } from '../../lists/editing/for-edit.js';
import { itemType, type ListPlan } from '../../lists/plan.js';

const record: RecordType = PvProductData_V2;

/** Products to be edited: the members that an update changes; lists of a group have the unit's name besides. */
export function editedProducts(plan: ListPlan): EditList {
  const listed = itemType(plan).fields;
  const columns = Object.entries(productMembers).flatMap(([member, name]): readonly EditColumn[] => {
    const field = record.fields[member];
    if (field === undefined || !Object.hasOwn(listed, member)) return [];
    return [
      { title: member, field, state: { name, kind: kindOfType(field.type) }, valueOf: (product) => product[member] },
    ];
  });
  return { plan, columns };
}
