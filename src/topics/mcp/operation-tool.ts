import type { Operation } from '../../contract/build.js';
import { checkNames } from './command-tool.js';
import { schemaOfParameters } from './schema.js';
import type { AgentTool } from './tool.js';

function describe({ doc, paged, deprecated, source }: Operation): string {
  const words = [
    doc,
    'One call of the operation, with its whole result.',
    paged === undefined ? undefined : `Answers one page of ${paged}: parameters say which, and how large it is.`,
    deprecated === undefined ? undefined : `Deprecated: use ${deprecated}.`,
    source === 'imported' ? 'Known from the WSDL of the service.' : undefined,
  ];
  return words.filter((text) => text !== undefined).join('\n');
}

/** The tool of an operation, under a name. */
export function toolOfOperation(operation: Operation, name = operation.name): AgentTool {
  const parameters = schemaOfParameters(operation.parameters);
  return {
    name,
    title: operation.name,
    description: describe(operation),
    access: operation.access,
    isLocal: false,
    parameters,
    lineOf: (given) => {
      checkNames(name, Object.keys(parameters.properties), given);
      return { words: ['call'], flags: ['--input=-'], args: [operation.name], input: JSON.stringify(given) };
    },
  };
}
