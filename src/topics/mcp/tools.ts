import type { Access } from '../../contract/build.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { mirrorTables } from '../../mirror/tables.js';
import { isObject } from '../../core/values/value.js';
import {
  checkNames,
  flagWords,
  idLines,
  descriptionOf,
  schemaOf,
  textsOf,
  type Declared,
  type AgentTool,
  type ToolArguments,
  type ObjectSchema,
  type ToolLine,
} from './tool.js';

interface ToolText {
  readonly name: string;
  /** Id of the command, or those of which a parameter `list` chooses one. */
  readonly command: string | readonly string[];
  /** What it is for; without it the summary of the command says so. */
  readonly about?: string;
  readonly access?: Access;
  readonly isLocal?: true;
  /** The flags that are offered: none that writes files, keeps state, names other services or says how something looks. */
  readonly flags: readonly string[];
  readonly always?: readonly string[];
}

interface LoadedCommand {
  readonly id: string;
  readonly summary: string;
  readonly args: Readonly<Record<string, Declared>>;
  readonly flags: Readonly<Record<string, Declared>>;
}

const mostColumnsDescribed = 6;

const describeTables = (): string =>
  [...mirrorTables.values()]
    .map(({ name, columns }) => {
      const names = columns.filter(({ type }) => type !== 'instant').map((column) => column.name);
      return `${name}(${names.slice(0, mostColumnsDescribed).join(', ')}${names.length > mostColumnsDescribed ? ', …' : ''})`;
    })
    .join('; ');

const records = ['columns', 'where', 'limit'];

const texts: readonly ToolText[] = [
  {
    name: 'find',
    command: 'find',
    about: 'Find relations, products, marks and more in the mirror, by any part of a name, a number, a key or an Id.',
    isLocal: true,
    flags: ['type', ...records],
  },
  {
    name: 'relation_get',
    command: 'relation:get',
    flags: ['ids', 'include-fields', 'columns'],
  },
  { name: 'product_get', command: 'product:get', flags: ['columns'] },
  {
    name: 'list',
    command: [
      'relation:list',
      'relation:phone-book',
      'relation:activities',
      'relation:marks',
      'relationship:list',
      'product:list',
      'mark:list',
      'activity:connected',
      'activity:involved',
      'activity:labels',
      'activity:fields',
      'workflow:steps',
      'datastore:items',
      'datastore:system',
      'datastore:sbi-codes',
    ],
    about: 'Read a list of the service to its end, all pages of it; use find or sql on the mirror if that is enough.',
    flags: ['from', 'to', 'include-fields', ...records, 'sort', 'count'],
  },
  {
    name: 'activity_search',
    command: 'activity:search',
    flags: ['entity-type', 'fields-of', 'field', 'date-field', 'from', 'to', 'include-fields', ...records],
  },
  { name: 'notifications', command: 'notification:list', flags: ['user', ...records] },
  {
    name: 'sql',
    command: 'sql',
    about: `Query the mirror with one SELECT in the SQL of SQLite. Tables: ${describeTables()}.`,
    isLocal: true,
    flags: ['param', 'limit'],
  },
  { name: 'mirror_status', command: 'mirror:status', isLocal: true, flags: [] },
  {
    name: 'operations',
    command: 'operations',
    about: 'List the operations of the service, or describe the specified ones, with parameters and results.',
    isLocal: true,
    flags: [],
  },
  { name: 'whoami', command: 'whoami', isLocal: true, flags: [] },
  {
    name: 'product_update',
    command: 'product:update',
    access: 'set',
    flags: ['code', 'name', 'description', 'sales-price', 'is-inactive'],
    always: ['--yes'],
  },
  {
    name: 'writes_list',
    command: 'writes:list',
    isLocal: true,
    flags: ['from', 'where', 'limit'],
  },
  { name: 'writes_undo', command: 'writes:undo', access: 'set', flags: ['row'], always: ['--yes'] },
];

const wordsOf = ({ id }: LoadedCommand): string => id.replaceAll(':', ' ');

const objectOf = (properties: ObjectSchema['properties'], required: readonly string[]): ObjectSchema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

function listParameters(commands: readonly LoadedCommand[]): ObjectSchema['properties'] {
  const args = commands.flatMap((command) =>
    Object.values(command.args).map((arg) => [descriptionOf(arg), wordsOf(command)]),
  );
  const takes = [...new Set(args.map(([said = '']) => said))].map(
    (said) => `${args.flatMap(([each, words]) => (each === said ? [words] : [])).join(', ')}: ${said}.`,
  );
  return {
    list: { type: 'string', enum: commands.map(wordsOf), description: 'Which list.' },
    of: { type: 'string', description: `What to list. ${takes.join(' ')}` },
  };
}

function parametersOf({ name: tool, command, flags }: ToolText, commands: readonly LoadedCommand[]): ObjectSchema {
  const [first] = commands;
  const isOne = typeof command === 'string';
  const offered = flags.map((name) => {
    const declared = commands.find((each) => name in each.flags)?.flags[name];
    if (declared === undefined) throw new RelctlError('bug', `no command of the tool ${tool} has --${name}`);
    return [name, declared] as const;
  });
  const declared = [...(isOne ? Object.entries(first?.args ?? {}) : []), ...offered];
  const own = Object.fromEntries(declared.map(([name, each]) => [name, schemaOf(name, each)]));
  const needed = declared.filter(([, { required }]) => required === true).map(([name]) => name);
  return isOne ? objectOf(own, needed) : objectOf({ ...listParameters(commands), ...own }, ['list']);
}

function argumentWords({ args }: LoadedCommand, toolArguments: ToolArguments): readonly string[] {
  const words: string[] = [];
  let missing: string | undefined;
  for (const [name, declared] of Object.entries(args)) {
    const value = toolArguments[name];
    if (value === undefined) missing ??= name;
    else if (missing === undefined) words.push(...textsOf(name, schemaOf(name, declared), value));
    else throw usage(missing, `${missing} is missing before ${name}`);
  }
  return words;
}

function argumentOfList(command: LoadedCommand, { of }: ToolArguments): readonly string[] {
  if (of === undefined) return [];
  if (Object.keys(command.args).length > 0) return textsOf('of', { type: 'string' }, of);
  throw usage('of', `${wordsOf(command)} is a whole list: omit 'of'`);
}

function toolOfCommands(text: ToolText, commands: readonly [LoadedCommand, ...LoadedCommand[]]): AgentTool {
  const { name, flags, always = [], access = 'read' } = text;
  const parameters = parametersOf(text, commands);
  const isOne = typeof text.command === 'string';
  const commandOf = (args: ToolArguments): LoadedCommand => {
    if (isOne) return commands[0];
    const [list] = textsOf('list', parameters.properties['list'] ?? {}, args['list']);
    return commands.find((each) => wordsOf(each) === list) ?? commands[0];
  };
  return {
    name,
    title: isOne ? wordsOf(commands[0]) : name,
    description: text.about ?? commands[0].summary,
    access,
    isLocal: text.isLocal === true,
    parameters,
    lineOf: (args): ToolLine => {
      checkNames(name, Object.keys(parameters.properties), args);
      const command = commandOf(args);
      const used = flags.filter((flag) => args[flag] !== undefined);
      const lost = used.find((flag) => !(flag in command.flags));
      if (lost !== undefined) throw usage(lost, `${wordsOf(command)} has no ${lost}`);
      return {
        words: command.id.split(':'),
        flags: [...always, ...used.flatMap((flag) => flagWords(flag, command.flags[flag] ?? {}, args[flag]))],
        args: isOne ? argumentWords(command, args) : argumentOfList(command, args),
        input: flags.includes('ids') ? idLines(args) : '',
      };
    },
  };
}

function callTool(name: string, access: 'read' | 'add'): AgentTool {
  const reads = access === 'read';
  const operationIn = ({ operation }: ToolArguments): string =>
    textsOf('operation', { type: 'string' }, operation)[0] ?? '';
  return {
    name,
    title: 'call',
    description: `Make one call of an operation that ${reads ? 'reads' : 'writes'}, with its whole result; \`operations\` lists them, with their parameters.`,
    access,
    isLocal: false,
    parameters: objectOf(
      {
        operation: { type: 'string', description: 'Its name.' },
        parameters: {
          type: 'object',
          description: 'Its parameters by name. Decimals, times and GUIDs are strings.',
        },
      },
      ['operation'],
    ),
    operationIn,
    lineOf: (args) => {
      checkNames(name, ['operation', 'parameters'], args);
      const { parameters = {} } = args;
      if (!isObject(parameters)) throw usage('parameters', 'parameters must be an object');
      return { words: ['call'], flags: ['--input=-'], args: [operationIn(args)], input: JSON.stringify(parameters) };
    },
  };
}

async function commandTools({ loadCommand }: Context): Promise<readonly AgentTool[]> {
  const load = async (id: string): Promise<LoadedCommand> => {
    const { summary = '', args, flags } = await loadCommand(id);
    return { id, summary, args, flags };
  };
  return Promise.all(
    texts.map(async (text) => {
      const [first = '', ...others] = typeof text.command === 'string' ? [text.command] : text.command;
      return toolOfCommands(text, [await load(first), ...(await Promise.all(others.map(load)))]);
    }),
  );
}

/** The tools for agents, by their names; those that write, and what shows writes, only where that is allowed. */
export async function offeredTools(context: Context, allowWrites: boolean): Promise<ReadonlyMap<string, AgentTool>> {
  const all = [...(await commandTools(context)), callTool('call', 'read'), callTool('write', 'add')];
  const offered = all.filter(({ name, access }) => allowWrites || (access === 'read' && name !== 'writes_list'));
  return new Map(offered.map((tool) => [tool.name, tool]));
}
