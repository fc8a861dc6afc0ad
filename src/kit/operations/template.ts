import type { Field, Fields, Operation, RecordType, Type } from '../../contract/build.js';
import { isTooDeep } from '../../contract/walk.js';
import { isList, isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { choiceOf, choiceWords } from '../../soap/codec/choices.js';
import { comment } from '../flags/by-type.js';

/** Members that a template has at most; the records of those behind them stand there by their names. */
const mostMembers = 5000;

function ruleWords(fields: Fields, field: Field): string {
  const { presence, nillable } = field;
  const choice = choiceOf(fields, field);
  const rules = [
    choice === undefined ? '' : `give ${choiceWords(choice)}`,
    presence === 'opt' && choice === undefined ? 'may be left out' : '',
    presence === 'nil' || nillable === true ? 'may be null' : '',
  ];
  return rules.flatMap((rule) => (rule === '' ? [] : `; ${rule}`)).join('');
}

const nameOf = (type: Exclude<Type, { readonly kind: 'list' }>): string => {
  if (type.kind === 'enumeration') return `one of ${type.values.join(', ')}`;
  return type.kind === 'scalar' ? (type.as ?? type.name) : type.name;
};

const ofItems = (rules: string): string => `, as many as you like${rules}`;

const standInFor = (type: Exclude<Type, { readonly kind: 'list' }>, rules: string): string =>
  `<${nameOf(type)}${rules}>`;

class Template {
  #members = 0;

  of(fields: Fields, above: readonly RecordType[] = []): RecordValue {
    const members = Object.entries(fields).flatMap(([name, field]): (readonly [string, Value])[] => {
      if (field.unsent !== undefined) return field.presence === 'req' ? [[name, []]] : [];
      this.#members += 1;
      return [[name, this.#value(field.type, ruleWords(fields, field), above)]];
    });
    return Object.fromEntries(members);
  }

  #value(type: Type, rules: string, above: readonly RecordType[]): Value {
    if (type.kind === 'list') return [this.#value(type.item, ofItems(rules), above)];
    if (type.kind !== 'record' || isTooDeep(type, above) || this.#members > mostMembers) return standInFor(type, rules);
    return { [comment]: `${type.name}${rules}`, ...this.of(type.fields, [...above, type]) };
  }
}

/** The input of an operation as JSON, in which words stand for each value: its type, and whether it must be given. */
export const templateOf = ({ name, parameters }: Operation): RecordValue => ({
  [comment]: `Input of ${name}: put a value in the place of each <...>, or take the member out.`,
  ...new Template().of(parameters),
});

/** Where an input is still as the template has it. */
export function unfilledIn(parameters: Fields, input: RecordValue): readonly string[] {
  const inRecord = (fields: Fields, record: RecordValue, path: string): readonly string[] =>
    Object.entries(record).flatMap(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return field === undefined ? [] : inValue(field.type, value, [ruleWords(fields, field), `${path}${name}`]);
    });
  const inValue = (type: Type, value: Value, [rules, path]: readonly [string, string]): readonly string[] => {
    if (type.kind === 'list')
      return isList(value)
        ? value.flatMap((item, at) => inValue(type.item, item, [ofItems(rules), `${path}[${at}]`]))
        : [];
    if (type.kind === 'record' && isRecord(value)) return inRecord(type.fields, value, `${path}.`);
    return value === standInFor(type, rules) ? [path] : [];
  };
  return inRecord(parameters, input, '');
}
