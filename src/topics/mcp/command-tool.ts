import { findOperation } from '../../contract/service.js';
import type { Access } from '../../contract/build.js';
import { perhaps, usage } from '../../errors/usage.js';
import { nearest } from '../../lexical/nearest.js';
import { forMessage } from '../../lexical/text.js';
import { defined } from '../../plain/defined.js';
import type { DescribedArgument, DescribedCommand, DescribedFlag } from './described.js';
import { idsFlag, isOffered, kindOfCommand } from './offered.js';
import type { ObjectSchema, ValueSchema } from './schema.js';
import type { AgentTool, Given, ToolLine } from './tool.js';

const yesOrNo = 'true|false';

/** Forms of which the type, or the words before, say enough. */
const plainForms: ReadonlySet<string> = new Set(['A,B', 'EXPR', 'MEMBER', 'N', 'TEXT']);

/** Words of which one is the value: `lf|crlf`, but not `ID|NAME`. */
const choice = /^[A-Za-z0-9]*[a-z0-9][A-Za-z0-9]*(?:\|[A-Za-z0-9]*[a-z0-9][A-Za-z0-9]*)+$/;

const textOf = (helpValue: DescribedFlag['helpValue']): string =>
  typeof helpValue === 'string' ? helpValue : (helpValue ?? []).join(' ');

/** The schema of one value of an option, by what help shows in its place. */
function valueSchema({ helpValue }: DescribedFlag): ValueSchema {
  const shown = textOf(helpValue);
  if (shown === 'N') return { type: 'integer' };
  if (shown === yesOrNo) return { type: 'boolean' };
  return choice.test(shown) ? { type: 'string', enum: shown.split('|') } : { type: 'string' };
}

function flagSchema(flag: DescribedFlag): ValueSchema {
  if (flag.name === idsFlag) return { type: 'array', items: { type: 'string' }, description: 'Many Ids at once.' };
  const form = textOf(flag.helpValue);
  const isTold = form === '' || plainForms.has(form) || choice.test(form);
  const description = `${flag.summary ?? ''}${isTold ? '' : ` Form: ${form}.`}`;
  if (flag.type === 'boolean') return { type: 'boolean', description };
  const value = valueSchema(flag);
  return flag.multiple === true ? { type: 'array', items: value, description } : { ...value, description };
}

function argumentSchema({ description, multiple }: DescribedArgument): ValueSchema {
  const said = defined({ description });
  return multiple === true ? { type: 'array', items: { type: 'string' }, ...said } : { type: 'string', ...said };
}

/** A value as a message shows it. */
function shownValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return forMessage(JSON.stringify(value), 80);
}

/** Throws `usage` for a value of another type than its schema says. */
function checkedText(name: string, { type, enum: words }: ValueSchema, value: unknown): string {
  const refuse = (what: string): never => {
    throw usage(name, `${name} takes ${what}, not ${shownValue(value)}`);
  };
  if (type === 'boolean') return typeof value === 'boolean' ? String(value) : refuse('true or false');
  if (type === 'integer' && Number.isSafeInteger(value)) return String(value);
  // Its reader checks the text of a number, as it does on a command line.
  if (typeof value !== 'string') return refuse(type === 'integer' ? 'a whole number' : 'a text');
  return words === undefined || words.includes(value) ? value : refuse(words.join(', '));
}

function checkedList(name: string, schema: ValueSchema, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw usage(name, `${name} takes a list`);
  return value.map((item) => checkedText(name, schema.items ?? {}, item));
}

/** The values of one parameter, as texts. */
const textsOf = (name: string, schema: ValueSchema, value: unknown): readonly string[] =>
  schema.type === 'array' ? checkedList(name, schema, value) : [checkedText(name, schema, value)];

/** The words of a flag with its value. They stay one word each, so that no value can be taken for another flag. */
function flagWords({ name, type }: DescribedFlag, schema: ValueSchema, value: unknown): readonly string[] {
  if (name === idsFlag) return ['--ids=-'];
  if (type === 'boolean') return checkedText(name, schema, value) === 'true' ? [`--${name}`] : [];
  return textsOf(name, schema, value).map((text) => `--${name}=${text}`);
}

/** The lines of stdin that hold the ids. Throws `usage` for an id that is no line. */
function idLines(schema: ValueSchema | undefined, value: unknown): string {
  if (schema === undefined || value === undefined) return '';
  const ids = textsOf(idsFlag, schema, value);
  const broken = ids.find((id) => /[\r\n]/.test(id) || id.trim() === '');
  if (broken !== undefined) throw usage(idsFlag, `${shownValue(broken)} is no Id`);
  return ids.map((id) => `${id}\n`).join('');
}

/** Throws `usage` for a parameter that the tool does not have. */
export function checkNames(tool: string, known: readonly string[], given: Given): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const has = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  throw usage(unknown, `${tool} has no parameter '${forMessage(unknown, 80)}'; ${has}`, {
    ...perhaps(unknown, nearest(unknown, known)),
    hint: '',
  });
}

/** Arguments in their order. Throws `usage` for one whose predecessor is missing: it would be taken for that one. */
function argumentWords(args: readonly DescribedArgument[], schema: ObjectSchema, given: Given): readonly string[] {
  const words: string[] = [];
  let missing: string | undefined;
  for (const { name } of args) {
    const value = given[name];
    const property = schema.properties[name];
    if (value === undefined || property === undefined) missing ??= name;
    else if (missing === undefined) words.push(...textsOf(name, property, value));
    else throw usage(missing, `${missing} is missing before ${name}`);
  }
  return words;
}

/** The access of the operations that a command calls: what adds or sets before what reads. */
function accessOf(operations: readonly string[]): Access {
  const all = operations.map((name) => findOperation(name)?.access);
  return all.includes('add') ? 'add' : all.includes('set') ? 'set' : 'read';
}

const inText = (text: string | undefined): string => (text ?? '').replaceAll('<%= config.bin %>', 'relctl');

/** Commands that name profiles by their arguments. */
const profileArguments: Readonly<Record<string, readonly string[]>> = { compare: ['a', 'b'] };

function schemaOf(
  command: DescribedCommand,
  flags: readonly DescribedFlag[],
  profiles: readonly string[],
): ObjectSchema {
  const args = Object.values(command.args);
  const named = profileArguments[command.id] ?? [];
  const argument = (arg: DescribedArgument): ValueSchema =>
    named.includes(arg.name) ? { ...argumentSchema(arg), enum: profiles } : argumentSchema(arg);
  const required = [...args, ...flags].filter((each) => each.required === true).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...args.map((arg) => [arg.name, argument(arg)] as const),
      ...flags.map((flag) => [flag.name, flagSchema(flag)] as const),
    ]),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The tool of a command; undefined for a command that is none. @param profiles those that are allowed */
export function toolOfCommand(command: DescribedCommand, profiles: readonly string[]): AgentTool | undefined {
  const kind = kindOfCommand(command);
  if (kind === undefined) return undefined;
  const { id, operations = [] } = command;
  const args = Object.values(command.args);
  const flags = Object.values(command.flags).filter((flag) => isOffered(flag) && !(flag.name in command.args));
  const parameters = schemaOf(command, flags, profiles);
  const name = id.replaceAll(':', '_');
  const always = kind === 'writes' && 'yes' in command.flags ? ['--yes'] : [];
  return {
    name,
    title: id.replaceAll(':', ' '),
    description: [inText(command.summary), inText(command.description)].filter((text) => text !== '').join('\n'),
    access: kind === 'reads' ? 'read' : accessOf(operations),
    isLocal: operations.length === 0,
    parameters,
    namesProfiles: Object.hasOwn(profileArguments, id),
    lineOf: (given): ToolLine => {
      checkNames(name, Object.keys(parameters.properties), given);
      const asked = flags.filter((flag) => given[flag.name] !== undefined);
      return {
        words: id.split(':'),
        flags: [
          ...always,
          ...asked.flatMap((flag) => flagWords(flag, parameters.properties[flag.name] ?? {}, given[flag.name])),
        ],
        args: argumentWords(args, parameters, given),
        input: idLines(parameters.properties[idsFlag], given[idsFlag]),
      };
    },
  };
}
