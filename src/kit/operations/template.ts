import type { Field, Fields, Operation, RecordType, ScalarName, Type } from '../../contract/build.js';
import { isTooDeep, scalarOf, valuesOf } from '../../contract/walk.js';
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

const samples: Readonly<Record<ScalarName, Value>> = {
  guid: '00000000-0000-0000-0000-000000000000',
  string: '',
  int: 0,
  short: 0,
  long: '0',
  decimal: '0',
  dateTime: '2000-01-01T00:00:00',
  boolean: true,
  anyType: '',
};

function sampleValue(type: Type): Value | undefined {
  const scalar = scalarOf(type);
  return scalar === undefined ? valuesOf(type)?.[0] : samples[scalar];
}

/** An input of which some values are words of a template still. */
export interface Unfilled {
  /** Where they are. */
  readonly paths: readonly string[];
  /** The input with some value in the place of each, to see what else is wrong with it. */
  readonly otherwise: RecordValue;
}

/** What of an input is still as the template has it. */
export function unfilledIn(parameters: Fields, input: RecordValue): Unfilled {
  const paths: string[] = [];
  const inRecord = (fields: Fields, record: RecordValue, path: string): RecordValue =>
    Object.fromEntries(
      Object.entries(record).flatMap(([name, value]): (readonly [string, Value])[] => {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
        const rules = field === undefined ? '' : ruleWords(fields, field);
        const kept = field === undefined ? value : inValue(field.type, { value, rules, path: `${path}${name}` });
        return kept === undefined ? [] : [[name, kept]];
      }),
    );
  const inValue = (
    type: Type,
    { value, rules, path }: { value: Value; rules: string; path: string },
  ): Value | undefined => {
    if (type.kind === 'list') {
      if (!isList(value)) return value;
      return value.flatMap(
        (item, at) => inValue(type.item, { value: item, rules: ofItems(rules), path: `${path}[${at}]` }) ?? [],
      );
    }
    if (type.kind === 'record' && isRecord(value)) return inRecord(type.fields, value, `${path}.`);
    if (value !== standInFor(type, rules)) return value;
    paths.push(path);
    return sampleValue(type);
  };
  return { paths, otherwise: inRecord(parameters, input, '') };
}
