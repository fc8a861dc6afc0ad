import { isUtf8 } from 'node:buffer';
import { parametersOfJson, valueOfType, type Lettered, comment } from '../flags/by-type.js';
import type { Fields, Operation, Type, Field, RecordType } from '../../contract/build.js';
import { scalarOf, valuesOf, isTooDeep } from '../../contract/walk.js';
import { RelctlError, perhaps, usage } from '../../core/errors/relctl-error.js';
import { readBounded } from '../../state/input-file.js';
import type { Context } from '../host/context.js';
import { mostTextBytes, inputName, streamInput } from '../host/environment.js';
import { inAnyCase, nearest, shellCommand, shellWord } from '../../core/text/text.js';
import { jsonWithLetters, type RecordValue, type Value, isList, isRecord } from '../../core/values/value.js';
import { filled, resolvePath, type Path } from './places.js';
import { choiceOf, choiceWords } from '../../soap/codec/field-rules.js';

/** The text of the file of --input, or of stdin by `-` without the line break at its end. Throws `usage`. */
export async function inputText(context: Context, file: string): Promise<string> {
  const bytes = await readBounded(streamInput(context, file), mostTextBytes);
  if (bytes === undefined) {
    throw usage(
      '--input',
      `${inputName(file)} is larger than ${mostTextBytes / 1024 / 1024} MiB, the limit of --input`,
      {
        advice: 'Use `relctl activity attach` for files of any size, and --file for many rows.',
      },
    );
  }
  if (!isUtf8(bytes))
    throw usage(
      '--input',
      `${inputName(file)} is not UTF-8: convert it, for example with \`iconv -f windows-1252 -t utf-8\``,
    );
  const text = bytes.toString('utf8');
  return file === '-' ? text.replace(/\r?\n$/, '') : text;
}

/** The parameters of a file, as JSON. Throws `usage`. */
export async function fromFile(
  context: Context,
  file: string | undefined,
  { parameters }: Operation,
): Promise<RecordValue> {
  return file === undefined ? {} : parametersIn(await inputText(context, file), file, parameters);
}

/** The parameters in the text of a file. Throws `usage`. */
export function parametersIn(text: string, file: string, fields: Fields): RecordValue {
  const json = jsonWithLetters(text);
  if (json === undefined) throw usage('--input', `--input ${file} is not JSON`);
  // The encoder refuses values that are not of the contract's types, with their path.
  const parameters = parametersOfJson(fields, json as Lettered);
  if (parameters !== undefined) return parameters;
  throw usage('--input', '--input must be one JSON object: parameters by name');
}

function readParam(text: string, operation: Operation, isKnown: boolean): readonly [Path, Value] {
  const at = text.indexOf('=');
  if (at < 1) {
    throw usage('--param', `--param takes NAME=VALUE, not '${text}'`);
  }
  const [typed, value] = [text.slice(0, at), text.slice(at + 1)];
  const names = Object.keys(operation.parameters);
  const name = inAnyCase(typed, names) ?? typed;
  const field = Object.hasOwn(operation.parameters, name) ? operation.parameters[name] : undefined;
  if (field !== undefined) return [[name], valueOfType(field.type, value, `--param ${name}`)];
  if (!isKnown) return [[name], value];
  const target = /[.[]/.test(typed) ? resolvePath(typed, operation, (what) => usage('--param', what)) : undefined;
  if (target !== undefined) return [target.path, valueOfType(target.type, value, `--param ${typed}`)];
  throw usage(
    '--param',
    `${operation.name} has no parameter '${name}'; it has ${names.length === 0 ? 'none' : names.join(', ')}`,
    perhaps(name, nearest(name, names)),
  );
}

/** Parameters with those of --param at their places, also within records and lists. Throws `usage`, also for words of a template. */
export function withParams(
  base: RecordValue,
  texts: readonly string[] = [],
  { operation, isKnown }: { readonly operation: Operation; readonly isKnown: boolean },
): RecordValue {
  const input = filled(
    base,
    texts.map((text) => readParam(text, operation, isKnown)),
  );
  refuseTemplateWords(operation, input);
  return input;
}

const mostNamedPaths = 20;

function refuseTemplateWords({ name, parameters }: Operation, input: RecordValue): void {
  const paths = unfilledIn(parameters, input);
  if (paths.length === 0) return;
  const more = paths.length > mostNamedPaths ? ` and ${paths.length - mostNamedPaths} more` : '';
  const holds = `${paths.slice(0, mostNamedPaths).join(', ')}${more} still ${paths.length === 1 ? 'holds' : 'hold'}`;
  const words = 'a placeholder of the template: replace it with a value, or remove the member';
  throw usage('--input', `${holds} ${words}`, shellCommand(['operations', name]));
}

const placeholders: Readonly<Record<string, string>> = {
  guid: 'GUID',
  dateTime: 'TIME',
  string: 'TEXT',
  boolean: 'true',
};

const placeholderOf = (type: Type): string =>
  valuesOf(type)?.join('|') ?? placeholders[scalarOf(type) ?? ''] ?? 'VALUE';

/** Throws `usage` for all parameters that are missing. */
export function checkInput({ parameters }: Operation, input: RecordValue): void {
  const missing = Object.entries(parameters).filter(
    ([key, { presence }]) => presence === 'req' && input[key] === undefined,
  );
  if (missing.length === 0) return;
  const names = missing.map(([key]) => key).join(', ');
  const flags = missing.map(([key, { type }]) => `--param ${shellWord(`${key}=${placeholderOf(type)}`)}`).join(' ');
  throw usage('--param', `${names} ${missing.length === 1 ? 'is' : 'are'} missing`, flags);
}

/** Runs a call; for a mistake of its input, the way to its parameters is shown. Throws what the call throws. */
export async function showingParameters<T>({ name, parameters }: Operation, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    const [first = ''] = (error.facts.path ?? '').split(/[.[]/);
    if (error.kind !== 'usage' || error.remedy.hint !== undefined || !Object.hasOwn(parameters, first)) throw thrown;
    throw error.but({ hint: shellCommand(['operations', name]) });
  }
}

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
  [comment]: `Input of ${name}: replace each <...> with a value, or remove the member.`,
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
