import type { Access } from '../../contract/build.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { OptionFacts } from '../../kit/flags/define.js';
import { yesNoOf } from '../../kit/flags/readers.js';
import { forMessage } from '../../core/text/text.js';
import { defined } from '../../core/values/value.js';

/** A JSON Schema of a parameter. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: ValueSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A JSON Schema of the parameters of a tool. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** What a client gives for the parameters of a tool. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A command line that a tool stands for: the words of the command, flags and arguments, and its stdin. */
export interface ToolLine {
  readonly words: readonly string[];
  readonly flags: readonly string[];
  readonly args: readonly string[];
  readonly input: string;
}

/** A tool that agents are offered. */
export interface AgentTool {
  readonly name: string;
  /** The command as it is typed. */
  readonly title: string;
  readonly description: string;
  readonly access: Access;
  /** The mirror, or what a profile keeps, answers: no service is called. */
  readonly isLocal: boolean;
  readonly parameters: ObjectSchema;
  /** The operation that a call of it is about, which must have the same access; undefined for a tool of a command. */
  readonly operationIn?: (toolArguments: ToolArguments) => string;
  /** Throws `usage` for what does not fit its parameters. */
  readonly lineOf: (args: ToolArguments) => ToolLine;
}

/** Lists and objects within each other that a value may have. */
const mostDepth = 64;

/** Throws `usage` for what is given in more lists and objects within each other than any parameter has. */
export function checkDepth(args: ToolArguments): void {
  let level: readonly unknown[] = [args];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostDepth) throw usage(undefined, `parameters are at most ${mostDepth} lists and objects deep`);
    level = level.flatMap((value): readonly unknown[] =>
      typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
}

/** A flag or an argument as its command declares it. */
export interface Declared extends OptionFacts {
  readonly type?: 'boolean' | 'option' | undefined;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly multiple?: boolean | undefined;
  readonly required?: boolean | undefined;
}

const idsFlag = 'ids';

function valueSchema({ reader, bounds, choices }: Declared): ValueSchema {
  if (bounds !== undefined) return { type: 'integer', minimum: bounds.least, maximum: bounds.most };
  if (reader === yesNoOf) return { type: 'boolean' };
  return { type: 'string', ...defined({ enum: choices }) };
}

/** What help says first of a flag or an argument. */
export const descriptionOf = ({ summary, description = '' }: Declared): string =>
  (summary ?? description).split(/; |\. /, 1)[0]?.replace(/\.$/, '') ?? '';

/** The schema of a flag or an argument, by its type and its reader. */
export function schemaOf(name: string, declared: Declared): ValueSchema {
  if (name === idsFlag) return { type: 'array', items: { type: 'string' }, description: 'Many Ids at once.' };
  const said = { description: descriptionOf(declared) };
  if (declared.type === 'boolean') return { type: 'boolean', ...said };
  const value = valueSchema(declared);
  return declared.multiple === true ? { type: 'array', items: value, ...said } : { ...value, ...said };
}

function valueForMessage(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return forMessage(JSON.stringify(value), 80);
}

function readAsText(name: string, { type, enum: words }: ValueSchema, value: unknown): string {
  const refuse = (what: string): never => {
    throw usage(name, `${name} takes ${what}, not ${valueForMessage(value)}`);
  };
  if (type === 'boolean') return typeof value === 'boolean' ? String(value) : refuse('true or false');
  if (type === 'integer' && Number.isSafeInteger(value)) return String(value);
  // Its reader checks the text of a number, as it does on a command line.
  if (typeof value !== 'string') return refuse(type === 'integer' ? 'a whole number' : 'a text');
  return words === undefined || words.includes(value) ? value : refuse(words.join(', '));
}

/** The values of one parameter, as texts. Throws `usage` for none, and for one of another type than its schema says. */
export function textsOf(name: string, schema: ValueSchema, value: unknown): readonly string[] {
  if (value === undefined) throw usage(name, `${name} is missing`);
  if (schema.type !== 'array') return [readAsText(name, schema, value)];
  if (!Array.isArray(value)) throw usage(name, `${name} takes a list`);
  return value.map((item) => readAsText(name, schema.items ?? {}, item));
}

/** The words of a flag with its value, each in one word, so that no value can be taken for another flag. Throws `usage`. */
export function flagWords(name: string, declared: Declared, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (name === idsFlag) return ['--ids=-'];
  const texts = textsOf(name, schemaOf(name, declared), value);
  if (declared.type === 'boolean') return texts[0] === 'true' ? [`--${name}`] : [];
  return texts.map((text) => `--${name}=${text}`);
}

/** The lines of stdin that hold the Ids. Throws `usage` for an Id that is no line. */
export function idLines({ [idsFlag]: value }: ToolArguments): string {
  if (value === undefined) return '';
  const ids = textsOf(idsFlag, schemaOf(idsFlag, {}), value);
  const broken = ids.find((id) => /[\r\n]/.test(id) || id.trim() === '');
  if (broken !== undefined) throw usage(idsFlag, `${valueForMessage(broken)} is not an Id`);
  return ids.map((id) => `${id}\n`).join('');
}

/** Throws `usage` for a parameter that the tool does not have. */
export function checkNames(tool: string, known: readonly string[], args: ToolArguments): void {
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const has = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  throw usage(unknown, `${tool} has no parameter '${forMessage(unknown, 80)}'; ${has}`, null);
}
