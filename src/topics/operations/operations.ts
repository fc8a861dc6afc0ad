import {
  inRole,
  list,
  opt,
  recordWithoutPresence,
  req,
  type EnumerationType,
  type Field,
  type Fields,
  type Operation,
  type RecordType,
} from '../../contract/build.js';
import type { InputOf } from '../../contract/infer.js';
import { type RecordValue, defined } from '../../core/values/value.js';
import { boolean, string } from '../../contract/scalars.js';
import { resultEnvelope } from '../../contract/records/shared.js';
import { fieldsOf, fullResult, itemOf, typeName } from '../../contract/walk.js';
import { inAnyCase, nearest } from '../../core/text/text.js';
import { commandsOf, operationsOf, type Commands } from '../../kit/command.js';
import type { Context } from '../../kit/host/context.js';
import { connectionFlags, formatNamed, outputFlags, type OutputFlags } from '../../kit/flags/common.js';
import { switchFlag, type Values } from '../../kit/flags/define.js';
import { knownOperations, type KnownOperations, notCalled } from '../../kit/operations/described.js';
import { templateOf } from '../../kit/operations/input.js';
import { flaggedFormat } from '../../kit/output/output-choice.js';
import { printRecords } from '../../kit/output/open-output.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { choiceOf, choiceWords } from '../../soap/codec/field-rules.js';
import { formats, usualFormats } from '../../formats/writers/index.js';
import { wrapWords } from '../../formats/layout/width.js';

/** Flags of `operations`. */
export const operationsFlags = {
  profile: connectionFlags.profile,
  template: switchFlag({
    summary: 'Print an input template for `call --input` as JSON, with a placeholder for each value.',
  }),
  ...outputFlags,
};

type OperationsFlags = Values<typeof operationsFlags> & OutputFlags;

/** What `operations` prints. */
export const OperationLine = recordWithoutPresence('OperationLine', 'An operation in a list of operations.', {
  Name: inRole('key', req(string, 'Name in the service.')),
  Access: req(string, 'read, set or add.'),
  Paged: req(boolean, 'Takes pageNumber and pageSize.'),
  Replacement: inRole('key', opt(string, 'Replacement of a deprecated operation.')),
  Source: req(
    string,
    'document: listed by the interface document; observed: seen in a public client of deployed instances; imported: from the WSDL of the service.',
  ),
  Purpose: req(string, 'What it does.'),
  LeavesNil: opt(list(string), 'Members that are always nil in the records of its list.'),
});

const FieldLine = recordWithoutPresence('FieldLine', 'A parameter, a member of a result or a field of a record.', {
  Name: req(string, 'Name in the service.'),
  Type: req(string, 'Its type.'),
  Presence: req(string, 'Req: always present; Nil: present, but may be nil; Opt: may be absent.'),
  Meaning: req(string, 'Description.'),
  Assumed: opt(string, 'Parts that the interface document does not define: name, type, presence.'),
});

const RecordLine = recordWithoutPresence('RecordLine', 'A record or an enumeration that an operation uses.', {
  Name: req(string, 'Name in the service.'),
  Meaning: req(string, 'Description.'),
  Assumed: opt(string, 'Parts that the interface document does not define: its name, or all of it.'),
  Fields: opt(list(FieldLine), 'Fields of a record, in wire order.'),
  Values: opt(list(string), 'Values of an enumeration.'),
});

const OperationDescription = recordWithoutPresence('OperationDescription', 'Description of one operation.', {
  ...OperationLine.fields,
  Parameters: req(list(FieldLine), 'Parameters in wire order, after the credentials.'),
  Result: req(list(FieldLine), 'Members of the result, in wire order.'),
  Records: req(list(RecordLine), 'Records and enumerations that it uses.'),
  Commands: req(list(string), 'Commands that call it.'),
});

type FieldRow = InputOf<typeof FieldLine>;
type RecordRow = InputOf<typeof RecordLine>;

const presenceWords = { req: 'Req', nil: 'Nil', opt: 'Opt' } as const;

const line = (operation: Operation): RecordValue => ({
  Name: operation.name,
  Access: operation.access,
  Paged: operation.paged !== undefined,
  ...defined({ Replacement: operation.deprecated }),
  Source: operation.source,
  Purpose: operation.doc,
  ...defined({ LeavesNil: operation.leavesNil && Object.keys(operation.leavesNil) }),
});

/** True for a field whose presence the interface document states. */
type HasPresence = (field: Field) => boolean;

function fieldMeaning(fields: Fields, field: Field): string {
  const choice = choiceOf(fields, field);
  const rules = [
    choice === undefined ? '' : `Give ${choiceWords(choice)}.`,
    field.unsent === undefined ? '' : `Cannot be sent: ${field.unsent}.`,
  ];
  return [field.doc, ...rules].filter((words) => words !== '').join(' ');
}

function fieldRows(fields: Fields, hasPresence: HasPresence): FieldRow[] {
  return Object.entries(fields).map(([name, field]) => {
    const assumed = [field.assumed, hasPresence(field) ? undefined : 'presence'].filter((word) => word !== undefined);
    return {
      Name: name,
      Type: typeName(field.type),
      Presence: presenceWords[field.presence],
      Meaning: fieldMeaning(fields, field),
      ...(assumed.length === 0 ? {} : { Assumed: assumed.join(', ') }),
    };
  });
}

/** Members of a result that the document gives: that others send the result envelope too is no word of it. */
const printedResult = (operation: Operation): Fields => (operation.envelope ? fullResult(operation) : operation.result);

function typesBelow(fields: Fields, types = new Map<string, EnumerationType | RecordType>()): typeof types {
  for (const [, { type }] of Object.entries(fields)) {
    const inner = itemOf(type) ?? type;
    if (inner.kind === 'scalar' || inner.kind === 'list' || types.has(inner.name)) continue;
    types.set(inner.name, inner);
    typesBelow(fieldsOf(inner), types);
  }
  return types;
}

function recordRow(type: EnumerationType | RecordType): RecordRow {
  const { name: Name, doc: Meaning } = type;
  if (type.kind === 'enumeration') return { Name, Meaning, Values: type.values };
  const Fields = fieldRows(type.fields, () => type.presence === 'documented');
  return { Name, Meaning, ...defined({ Assumed: type.assumed }), Fields };
}

function describe(operation: Operation) {
  const result = printedResult(operation);
  // The document marks parameters as required, and members of a result, only where it extends the result envelope.
  const hasPresence: HasPresence = (field) =>
    operation.source === 'imported' ||
    (operation.envelope && (field.presence === 'req' || field === resultEnvelope.Data));
  return {
    Parameters: fieldRows(operation.parameters, hasPresence),
    Result: fieldRows(result, hasPresence),
    Records: [...typesBelow({ ...operation.parameters, ...result }).values()].map(recordRow),
  };
}

const mark = '?';

/** Columns that words need beside others; with less, they go below them. */
const leastRoom = 24;

function alignedWords(start: string, words: string, width: number | undefined): string[] {
  if (width === undefined) return [`${start}${words}`];
  const room = width - start.length;
  const below = '    ';
  if (room < leastRoom) {
    const unaligned = start.trimEnd().replaceAll(/(?<=\S) {2,}/g, '  ');
    return [unaligned, ...wrapWords(words, width - below.length, '').map((each) => `${below}${each}`)];
  }
  const indent = ' '.repeat(start.length);
  return wrapWords(words, room, '').map((each, at) => `${at === 0 ? start : indent}${each}`);
}

function fieldLines(rows: readonly FieldRow[], width: number | undefined): string[] {
  if (rows.length === 0) return ['  none'];
  const marked = rows.map((row) => {
    const assumed = (row.Assumed ?? '').split(', ');
    const cell = (key: 'Name' | 'Type' | 'Presence'): string =>
      assumed.includes(key.toLowerCase()) ? `${row[key]}${mark}` : row[key];
    return { name: cell('Name'), type: cell('Type'), presence: cell('Presence').padEnd(4), meaning: row.Meaning };
  });
  const [nameWidth, typeWidth] = [
    marked.reduce((most, { name }) => Math.max(most, name.length), 0),
    marked.reduce((most, { type }) => Math.max(most, type.length), 0),
  ];
  return marked.flatMap(({ name, type, presence, meaning }) =>
    alignedWords(`  ${name.padEnd(nameWidth)}  ${type.padEnd(typeWidth)}  ${presence}  `, meaning, width),
  );
}

function recordText(
  { Name, Meaning, Assumed, Fields: fields, Values = [] }: RecordRow,
  width: number | undefined,
): string[] {
  const sign = Assumed === 'whole' ? ' (assumed)' : Assumed === 'name' ? mark : '';
  return [
    '',
    ...alignedWords('', `${Name}${sign}${Meaning === '' ? '' : `: ${Meaning}`}`, width),
    ...(fields === undefined ? alignedWords('  ', Values.join(', '), width) : fieldLines(fields, width)),
  ];
}

const legendWords: readonly (readonly [form: RegExp, meaning: string])[] = [
  [/^ {2}.* Req\b/m, 'Req: always present.'],
  [/^ {2}.* Nil\b/m, 'Nil: always present, but may be nil (null in JSON).'],
  [/^ {2}.* Opt\b/m, 'Opt: may be absent.'],
  [/\?/, `${mark}: assumed; the interface document does not define it.`],
];

function legendOf(lines: readonly string[], width: number | undefined): readonly string[] {
  const text = lines.join('\n');
  const found = legendWords.flatMap(([form, meaning]) => (form.test(text) ? alignedWords('  ', meaning, width) : []));
  return found.length === 0 ? [] : ['', 'MARKS', ...found];
}

function callersLine({ name }: Operation, commands: readonly string[]): string {
  if (commands.length === 0) return `No command of its own: relctl call ${name}`;
  const words = commands.map((each) => `relctl ${each}`).join(', ');
  return `Command${commands.length === 1 ? '' : 's'}: ${words}`;
}

function nilLines(leavesNil: NonNullable<Operation['leavesNil']>): string {
  const names = Object.entries(leavesNil).map(([name, reason]) =>
    reason.parameter === undefined ? name : `${name} (without ${reason.parameter})`,
  );
  return `Always nil in its records: ${names.join(', ')}.`;
}

function text(operation: Operation, commands: readonly string[], width: number | undefined): string {
  const { Parameters, Result, Records } = describe(operation);
  const { name, access, paged, doc, deprecated, source, leavesNil } = operation;
  const lines = [
    `${name} (${access}${paged === undefined ? '' : `, paged: ${paged}`})`,
    ...alignedWords('', doc, width),
    ...alignedWords('', callersLine(operation, commands), width),
    ...(deprecated === undefined ? [] : [`Deprecated: use ${deprecated}.`]),
    ...(leavesNil === undefined ? [] : alignedWords('', nilLines(leavesNil), width)),
    ...(source === 'observed'
      ? alignedWords('', 'Assumed: the interface document only names it, without parameters and result.', width)
      : []),
    '',
    'PARAMETERS',
    ...fieldLines(Parameters, width),
    '',
    'RESULT',
    ...fieldLines(Result, width),
    ...Records.flatMap((each) => recordText(each, width)),
  ];
  return [...lines, ...legendOf(lines, width), ''].join('\n');
}

async function printOperations(context: Context, flags: OperationsFlags, some?: readonly string[]): Promise<void> {
  const table = ['Name', 'Access', 'Purpose', 'Replacement'];
  const { names, find } = knownOperations(context, flags.profile);
  await printRecords(context, { flags, record: OperationLine, shape: 'list', table }, () =>
    (some ?? names).flatMap((name) => find(name) ?? []).map(line),
  );
}

function known(name: string, { names, find, leftOut: unusable }: KnownOperations): Operation {
  const operation = find(inAnyCase(name, names) ?? name);
  if (operation !== undefined) return operation;
  const out = unusable(name);
  if (out !== undefined) throw notCalled(out);
  const near = nearest(name, names);
  throw usage('NAME', `there is no operation '${name}'`, perhaps(name, near, 'relctl operations'));
}

function checkTemplate(words: readonly string[], called: readonly string[]): void {
  const [first] = called;
  if (words.length > 0 && called.length < 2) return;
  const several = `'${words.join(' ')}' calls several operations: ${called.join(', ')}`;
  throw usage(
    '--template',
    first === undefined ? '--template needs the name of one operation' : several,
    `relctl operations ${first ?? 'NAME'} --template`,
  );
}

async function printTemplate(context: Context, flags: OperationsFlags, operation: Operation): Promise<void> {
  const format = flaggedFormat(flags);
  if (format !== undefined && format !== 'json') throw usage('--template', '--template prints only JSON', '-o json');
  const record = recordWithoutPresence(operation.name, operation.doc, operation.parameters);
  await printRecords(context, { flags: { ...flags, output: 'json' }, record, shape: 'single' }, () => [
    templateOf(operation),
  ]);
}

async function printOperation(
  context: Context,
  flags: OperationsFlags,
  { name, config }: { readonly name: string; readonly config: Commands },
): Promise<void> {
  const operation = known(name, knownOperations(context, flags.profile));
  if (flags.template) return printTemplate(context, flags, operation);
  const commands = commandsOf(config, operation.name);
  const preferred = context.environment.variables['RELCTL_OUTPUT'];
  const format = flaggedFormat(flags) ?? (preferred === undefined ? usualFormats.single : formatNamed(preferred));
  const isText = formats[format].audience === 'people';
  // They pick from the record, which the text is not.
  const isPicked = [flags.columns, flags.query].some((flag) => flag !== undefined);
  if (isText && !isPicked && flags['output-file'] === undefined) {
    const { out } = context.streams;
    return out.write(text(operation, commands, out.width));
  }
  await printRecords(context, { flags, record: OperationDescription, shape: 'single' }, () => [
    { ...line(operation), ...describe(operation), Commands: commands },
  ]);
}

interface OperationsInput {
  readonly context: Context;
  readonly args: { readonly name?: readonly string[] | undefined };
  readonly flags: OperationsFlags;
  readonly config: Commands;
}

/**
 * Prints all about one operation: as text, or as a record where a format is chosen. Prints a list, one a line, for no words and
 * for a command that calls several. Throws `usage` for an unknown name, `profile` and `local`.
 */
export async function describeOperations({ args, flags, context, config }: OperationsInput): Promise<void> {
  const { name: words = [] } = args;
  const called = operationsOf(config, words);
  if (flags.template) checkTemplate(words, called);
  if (words.length === 0) return printOperations(context, flags);
  if (called.length > 1) return printOperations(context, flags, called);
  return printOperation(context, flags, { name: called[0] ?? words.join(' '), config });
}
