import { operations } from '../../src/contract/service.js';
import type { Field, Fields, Operation } from '../../src/contract/build.js';
import { fullResult, typeName } from '../../src/contract/walk.js';
import { manifestCommands, typed } from './manifest-read.js';
import { code, table } from './markdown.js';
import { fieldLine, fieldsTable } from './records.js';
import { testsByOperation } from './tests-read.js';

const accessWords = { read: 'reads', set: 'writes', add: 'adds' } as const;

/** Operations that a field must be the same in, to be explained once for all. */
const fewest = 3;

const all = Object.values<Operation>(operations);
const keyOf = (name: string, { type, presence, doc }: Field): string => [name, typeName(type), presence, doc].join('\n');

/** The fields that many operations have, by their names. */
function shared(fieldsOf: (operation: Operation) => Fields): Fields {
  const found = all.flatMap((operation) => Object.entries(fieldsOf(operation)));
  const keys = found.map(([name, field]) => keyOf(name, field));
  const times = (name: string, field: Field): number => keys.filter((each) => each === keyOf(name, field)).length;
  // Where operations differ in a field of one name, the last one stays: the most frequent.
  return Object.fromEntries(
    found
      .filter(([name, field]) => times(name, field) >= fewest)
      .toSorted((one, other) => times(...one) - times(...other)),
  );
}

/** Fields in a list, those that many operations have by name. */
function fieldsText(title: string, fields: Fields, known: Fields): string {
  const entries = Object.entries(fields);
  const isKnown = ([name, field]: (typeof entries)[number]): boolean => {
    const same = known[name];
    return same !== undefined && keyOf(name, same) === keyOf(name, field);
  };
  const others = entries.filter((entry) => !isKnown(entry));
  const names = entries.filter(isKnown).map(([name]) => code(name));
  const first = names.length === 0 ? [] : [`- ${names.join(', ')}`];
  return [`${title}:\n`, ...first, ...others.map(fieldLine)].join('\n');
}

function details(operation: Operation, parametersOfMany: Fields, resultsOfMany: Fields): string {
  const { name, doc, deprecated, parameters, source, leavesNil } = operation;
  const parts = [
    `### ${name}`,
    doc,
    deprecated === undefined ? '' : `Deprecated: use ${code(deprecated)}.`,
    leavesNil === undefined ? '' : 'Leaves nested members of its records nil: see [words](words.md).',
    source === 'observed' ? 'The service does not describe it: see [assumptions](assumptions.md#shapes-that-the-document-does-not-show).' : '',
    Object.keys(parameters).length === 0 ? 'It takes no parameters.' : fieldsText('Parameters', parameters, parametersOfMany),
    fieldsText('Result', fullResult(operation), resultsOfMany),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The file of a test, linked. */
function testLink(file: string | undefined): string {
  return file === undefined ? 'none' : `[${file.split('/').at(-1) ?? file}](../${file})`;
}

/** Every operation: command, test, and its parameters and result. */
export function operationsText(root: string): string {
  const commands = manifestCommands(root);
  const tests = testsByOperation(root);
  const [parameters, results] = [shared((each) => each.parameters), shared(fullResult)];
  const rows = all.map((operation) => {
    const callers = commands.filter((command) => command.operations?.includes(operation.name) === true);
    return [
      `[${operation.name}](#${operation.name.toLowerCase()})`,
      callers.map((command) => code(typed(command))).join(', '),
      `${accessWords[operation.access]}${operation.paged === undefined ? '' : ', in pages'}`,
      testLink(tests.get(operation.name)),
    ];
  });
  return [
    table(['operation', 'command', 'access', 'test'], rows),
    `### Parameters of many operations\n\n${fieldsTable(parameters)}`,
    `### Results of many operations\n\n${fieldsTable(results)}`,
    ...all.map((operation) => details(operation, parameters, results)),
  ].join('\n\n');
}
