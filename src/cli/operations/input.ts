import { isUtf8 } from 'node:buffer';
import { valueOfType } from '../flags/by-type.js';
import type { Operation, Type } from '../../contract/build.js';
import { perhaps, usage } from '../../errors/relctl-error.js';
import { readBounded } from '../../files/read-bounded.js';
import type { Context } from '../../host/context.js';
import { mostTextBytes } from '../../host/environment.js';
import { givenName, openGiven } from '../../host/given.js';
import { inAnyCase, nearest } from '../../lexical/nearest.js';
import { shellWord } from '../../lexical/shell/command.js';
import { isRecord, type RecordValue, type Value } from '../../plain/value.js';

/** The text of the file of --input, or of stdin by `-` without the line break at its end. Throws `usage`. */
export async function inputText(context: Context, file: string): Promise<string> {
  const bytes = await readBounded(openGiven(context, file), mostTextBytes);
  if (bytes === undefined) {
    throw usage(
      '--input',
      `${givenName(file)} is larger than ${mostTextBytes / 1024 / 1024} MiB, the limit of --input`,
      {
        advice: 'A file of any size is attached by `relctl activity attach`; many rows are written by --file.',
      },
    );
  }
  if (!isUtf8(bytes))
    throw usage(
      '--input',
      `${givenName(file)} is no UTF-8: convert it from what it is, such as \`iconv -f windows-1252 -t utf-8\``,
    );
  const text = bytes.toString('utf8');
  return file === '-' ? text.replace(/\r?\n$/, '') : text;
}

/** The parameters of a file, as JSON. Throws `usage`. */
export async function fromFile(context: Context, file: string | undefined): Promise<RecordValue> {
  return file === undefined ? {} : parametersIn(await inputText(context, file), file);
}

/** The parameters in the text of a file. Throws `usage`. */
export function parametersIn(text: string, file: string): RecordValue {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usage('--input', `--input ${file} is not JSON`);
  }
  // The encoder refuses values that are not of the contract's types, with their path.
  if (isRecord(value as Value)) return value as RecordValue;
  throw usage('--input', '--input holds one JSON object: parameters by name');
}

/** The parameter and its value that --param says. Throws `usage`. */
export function param(text: string, operation: Operation, isKnown: boolean): readonly [string, Value] {
  const at = text.indexOf('=');
  if (at < 1) {
    throw usage('--param', `--param takes NAME=VALUE, not '${text}'`);
  }
  const [typed, value] = [text.slice(0, at), text.slice(at + 1)];
  const name = inAnyCase(typed, Object.keys(operation.parameters)) ?? typed;
  const field = Object.hasOwn(operation.parameters, name) ? operation.parameters[name] : undefined;
  if (field !== undefined) return [name, valueOfType(field.type, value, `--param ${name}`)];
  if (!isKnown) return [name, value];
  const near = nearest(name, Object.keys(operation.parameters));
  const names = Object.keys(operation.parameters);
  throw usage(
    '--param',
    `${operation.name} has no parameter '${name}'; it has ${names.length === 0 ? 'none' : names.join(', ')}`,
    perhaps(name, near),
  );
}

const placeholders: Readonly<Record<string, string>> = {
  guid: 'GUID',
  dateTime: 'TIME',
  string: 'TEXT',
  boolean: 'true',
};

/** What stands for a value of a type in a command line that is shown. */
const placeholder = (type: Type): string =>
  type.kind === 'enumeration' ? type.values.join('|') : (type.kind === 'scalar' && placeholders[type.name]) || 'VALUE';

/** Throws `usage` for all parameters that are missing, but those of `others`, which come from elsewhere. */
export function checkGiven({ parameters }: Operation, input: RecordValue, others: readonly string[] = []): void {
  const missing = Object.entries(parameters).filter(
    ([key, { presence }]) => presence === 'req' && input[key] === undefined && !others.includes(key),
  );
  if (missing.length === 0) return;
  const names = missing.map(([key]) => key).join(', ');
  const flags = missing.map(([key, { type }]) => `--param ${shellWord(`${key}=${placeholder(type)}`)}`).join(' ');
  throw usage('--param', `${names} ${missing.length === 1 ? 'is' : 'are'} missing, and must be given`, flags);
}
