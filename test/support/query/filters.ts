import fc from 'fast-check';
import type { RecordType, Type } from '../../../src/contract/build.js';
import { RelctlError } from '../../../src/errors/relctl-error.js';
import { compileExpression } from '../../../src/query/expression.js';

const { constantFrom, oneof } = fc;

const texts = ['', 'plain', 'a', 'é', '2026-01-31T09:30:00', 'true'];

/** What may be asked of a member by its type. */
function questionsOf(name: string, type: Type): readonly string[] {
  const any = [name, `!${name}`, `${name} == \`null\``, `@.${name}`, `type(${name}) == 'null'`, `[${name}]`];
  if (type.kind === 'enumeration') return [...any, ...type.values.map((value) => `${name} == '${value}'`)];
  if (type.kind === 'record') {
    const [first = ''] = Object.keys(type.fields);
    return [...any, `${name}.${first}`, `${name}.${first}[0]`, `${name} | ${first}`];
  }
  if (type.kind === 'list') return [...any, `length(${name}) > \`0\``, `${name}[0]`, `${name}[?@]`];
  const own: Readonly<Record<string, readonly string[]>> = {
    boolean: [`${name} == \`true\``, `${name} != \`false\``],
    int: [`${name} > \`1\``, `${name} + \`1\` < \`0\``, `-${name} > \`0\``, `to_string(${name}) == '7'`],
    short: [`${name} <= \`7\``],
    long: [`gt(${name}, '7')`],
    decimal: [`lt(${name}, '1.5')`, `eq(${name}, '12.5')`],
    dateTime: [`before(${name}, '2026-01-31T09:30:01')`, `starts_with(${name}, '2026')`],
  };
  const letters = [
    ...texts.map((text) => `${name} == '${text}'`),
    `contains(fold(${name}), 'a')`,
    `length(${name}) > \`4\``,
    `contains(['plain', 'a, b'], ${name})`,
    `${name}[0:2] == 'pl'`,
  ];
  return [...any, ...(own[type.name] ?? letters)];
}

/** What may be asked of a record as a whole. */
const ofAll = [
  '@',
  '$',
  'length(keys(@)) > `10`',
  "contains(to_string(@), 'a')",
  'values(@)[0]',
  '*',
  'length(*) > `9`',
  'let $id = Id in $id',
  '{A: Id}',
  "keys(@)[-1] == 'IsInactive'",
  "to_string(@)[-20:] == ''",
];

/** True for an expression that is no mistake. */
function isRight(text: string, type: RecordType): boolean {
  try {
    compileExpression({ path: '--filter', text }, { type });
    return true;
  } catch (thrown) {
    if (thrown instanceof RelctlError && thrown.kind === 'usage') return false;
    throw thrown;
  }
}

/** Expressions that --filter takes of a record, some of which a record may end with an error. */
export function filtersOf(type: RecordType): fc.Arbitrary<string> {
  const members = Object.entries(type.fields).flatMap(([name, field]) => questionsOf(name, field.type));
  const one = oneof({ weight: 6, arbitrary: constantFrom(...members) }, constantFrom(...ofAll));
  const { filter } = fc.letrec<{ filter: string }>((tie) => ({
    filter: oneof(
      { depthSize: 'small', withCrossShrink: true },
      one,
      tie('filter').map((inner) => `!(${inner})`),
      fc
        .tuple(tie('filter'), constantFrom('&&', '||', '==', '!='), tie('filter'))
        .map(([a, sign, b]) => `(${a}) ${sign} (${b})`),
      fc.tuple(tie('filter'), tie('filter'), tie('filter')).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
      fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `not_null(${a}, ${b})`),
    ),
  }));
  return filter.filter((text) => isRight(text, type));
}
