import { operations } from '../../src/contract/service.js';
import type { Operation } from '../../src/contract/build.js';
import { fullResult } from '../../src/contract/walk.js';
import { handlerOf } from '../../src/sandbox/handlers/index.js';
import { manifestCommands, typed } from './manifest-read.js';
import { code, table } from './markdown.js';
import { fieldsTable } from './records.js';
import { testsByOperation } from './tests-read.js';

const accessWords = { read: 'reads', set: 'writes', add: 'adds' } as const;

function details(operation: Operation): string {
  const { name, doc, deprecated, parameters, source } = operation;
  const parts = [
    `### ${name}`,
    doc,
    deprecated === undefined ? '' : `Deprecated: use ${code(deprecated)}.`,
    source === 'observed' ? 'The service does not describe it: see [assumptions](assumptions.md#shapes-that-the-document-does-not-show).' : '',
    Object.keys(parameters).length === 0 ? 'It takes no parameters.' : `Parameters:\n\n${fieldsTable(parameters)}`,
    `Result:\n\n${fieldsTable(fullResult(operation))}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The file of a test, linked. */
function testLink(file: string | undefined): string {
  return file === undefined ? 'none' : `[${file.split('/').at(-1) ?? file}](../${file})`;
}

/** Every operation: command, SOAP versions, embedded service, test, and its parameters and result. */
export function operationsText(root: string): string {
  const commands = manifestCommands(root);
  const tests = testsByOperation(root);
  const rows = Object.values<Operation>(operations).map((operation) => {
    const callers = commands.filter((command) => command.operations?.includes(operation.name) === true);
    return [
      `[${operation.name}](#${operation.name.toLowerCase()})`,
      callers.map((command) => code(typed(command))).join(', '),
      `${accessWords[operation.access]}${operation.paged === undefined ? '' : ', in pages'}`,
      '1.1, 1.2',
      handlerOf(operation) === undefined ? 'not yet' : 'yes',
      testLink(tests.get(operation.name)),
    ];
  });
  return [
    table(['operation', 'command', 'access', 'SOAP', 'embedded service', 'test'], rows),
    ...Object.values<Operation>(operations).map(details),
  ].join('\n\n');
}
