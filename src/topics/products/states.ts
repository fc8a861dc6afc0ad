import { productMembers } from '../../cli/flags/values/product.js';
import type { RecordType } from '../../contract/build.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { kindOfType, type CellState } from '../../edits/cell-state.js';
import type { RowBase } from '../../edits/base.js';
import { cellText } from '../../output/cell.js';
import type { RecordValue } from '../../plain/value.js';
import { shown } from '../../plain/shown.js';

const record: RecordType = PvProductData_V2;

/** The state of a member of a product, as a base keeps it; undefined for what an update does not change. */
function productState(product: RecordValue, member: string): CellState | undefined {
  const name = productMembers[member];
  const type = record.fields[member]?.type;
  if (name === undefined || type === undefined) return undefined;
  return { name, kind: kindOfType(type), text: cellText(product[member]) };
}

/** What was changed of a product since it was exported, in words; undefined where nothing was. */
export function movedSince(base: RowBase, product: RecordValue): string | undefined {
  const moved = Object.keys(productMembers).filter((member) => {
    const state = productState(product, member);
    return state !== undefined && base.hasColumn(state.name) && !base.holds(state);
  });
  if (moved.length === 0) return undefined;
  return moved.map((member) => `${member} is ${shown(product[member])} now`).join('; ');
}
