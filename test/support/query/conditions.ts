import fc from 'fast-check';
import type { RecordType, Type } from '../../../src/contract/build.js';

const { constantFrom, oneof, tuple } = fc;

const texts = ['', 'plain', 'a', 'é', '2026-01-31T09:30:00', 'true'];

/** What may be asked of a member by its type. */
function conditionsOn(name: string, type: Type): readonly string[] {
  const any = [`${name} is null`, `${name} is not null`];
  if (type.kind === 'enumeration') return [...any, ...type.values.map((value) => `${name} = '${value}'`)];
  if (type.kind === 'list') return any;
  if (type.kind === 'record')
    return [...any, ...Object.keys(type.fields).map((member) => `${name}.${member} is not null`)];
  const own: Readonly<Record<string, readonly string[]>> = {
    boolean: [name, `${name} <> false`],
    int: [`${name} > 1`, `${name} in (7, 0)`],
    short: [`${name} <= 7`],
    long: [`${name} between 7 and 9007199254740993`],
    decimal: [`${name} < 1.5`, `${name} = 12.50`],
    dateTime: [`${name} < '2026-01-31T09:30:01'`],
    guid: [`${name} like '%5'`, `${name} <> 'a0000000-0000-0000-0000-000000000000'`],
  };
  const letters = [
    ...texts.map((text) => `${name} = '${text}'`),
    `fold(${name}) like '%a%'`,
    `${name} not like 'pl____'`,
    `${name} in ('plain', 'a, b')`,
    `${name} >= 'b'`,
  ];
  return [...any, ...(own[type.name] ?? letters)];
}

/** Conditions that --where takes of a record. */
export function conditionsOf(type: RecordType): fc.Arbitrary<string> {
  const members = Object.entries(type.fields).flatMap(([name, field]) => conditionsOn(name, field.type));
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: oneof(
      { depthSize: 'small', withCrossShrink: true },
      constantFrom(...members),
      tie('condition').map((inner) => `not (${inner})`),
      tuple(tie('condition'), constantFrom('and', 'or'), tie('condition')).map(
        ([a, word, b]) => `(${a}) ${word} (${b})`,
      ),
    ),
  }));
  return condition;
}
