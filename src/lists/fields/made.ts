import type { RecordType } from '../../contract/build.js';
import { TabPageType } from '../../contract/enumerations.js';
import { int, string } from '../../contract/scalars.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { inAnyCase } from '../../core/text/nearest.js';
import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import type { Session } from '../../kit/session/session.js';
import type { NamedValue, Scope } from '../../formats/query/where/names.js';
import { fieldNamed, neededFlag, type RecordPlan } from './columns.js';
import { counterItems, countersOf, fieldItems } from './included.js';
import { aliasCatalogue } from './look-up.js';

const prefixes = /^(Field|Counter)\.(.+)$/is;

function valueOf(items: readonly Value[], member: string, said: string): Value | undefined {
  const isWanted = (value: Value | undefined): boolean =>
    typeof value === 'string' && value.toLowerCase() === said.toLowerCase();
  return items.filter(isRecord).find((item) => isWanted(item[member]))?.['Value'];
}

/**
 * Gives the columns of fields and of counters that --where may name, of records as they come: `Field.Priority`. Undefined
 * for records that have none. Fields are looked up where the condition has such a name.
 * @param type the records; one whose fields have rows of their own has no such columns
 */
export async function madeColumns(
  place: {
    readonly context: Context;
    readonly session: Session;
    readonly flags: { readonly where?: string | undefined };
  },
  plan: RecordPlan,
  type: RecordType,
): Promise<Scope['made']> {
  if (!/\b(?:field|counter)["\]`]?\s*\./i.test(place.flags.where ?? '')) return undefined;
  const counters = countersOf(type);
  const hasFields = Object.hasOwn(type.fields, 'FieldValues');
  const catalogue = hasFields
    ? ((await plan.catalogue?.()) ?? aliasCatalogue(place.context, place.session))
    : undefined;
  const field = (title: string): NamedValue | undefined => {
    const { id } = catalogue === undefined ? {} : fieldNamed(title, catalogue, '--where');
    if (id === undefined) return undefined;
    return { type: string, member: 'FieldValues', read: (record) => valueOf(fieldItems(record), 'Id', id) };
  };
  const counter = (name: string): NamedValue | undefined => {
    const tab = inAnyCase(name, TabPageType.values);
    if (tab === undefined || counters === undefined) return undefined;
    const read = (record: RecordValue): Value | undefined =>
      valueOf(counterItems(record, counters), 'TabPageType', tab);
    return { type: int, member: counters, read };
  };
  return (title) => {
    const [, prefix, name = ''] = prefixes.exec(title) ?? [];
    if (prefix === undefined) return undefined;
    const flag = neededFlag(plan, title);
    if (flag !== undefined) throw usage('--where', `${title} needs ${flag}`, flag);
    return prefix.toLowerCase() === 'field' ? field(title) : counter(name);
  };
}
