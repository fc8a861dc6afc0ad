import {
  list,
  opt,
  recordWithoutPresence,
  req,
  type Field,
  type Fields,
  type Operation,
  type RecordType,
  type Type,
} from '../../contract/build.js';
import { boolean, string } from '../../contract/scalars.js';
import { findOperation, operations } from '../../contract/service.js';
import { resultEnvelope } from '../../contract/records/result.js';
import { fieldEntries, fullResult, typeName } from '../../contract/walk.js';
import { nearest } from '../../lexical/nearest.js';
import type { Context } from '../../host/context.js';
import { formatNamed, type OutputFlags } from '../../cli/flags/output.js';
import { flaggedFormat } from '../../cli/output/output-choice.js';
import { openOutput } from '../../cli/output/record-output.js';
import { defined } from '../../plain/defined.js';
import { usage } from '../../errors/usage.js';
import { formats, usualFormats } from '../../output/formats/index.js';

const OperationLine = recordWithoutPresence('OperationLine', 'An operation in a list of operations.', {
  Name: req(string, 'As the service spells it.'),
  Access: req(string, 'read, set or add.'),
  Paged: req(boolean, 'Takes pageNumber and pageSize.'),
  Replacement: opt(string, 'For a deprecated operation: what to use instead.'),
  Source: req(
    string,
    'document: listed by the interface document; observed: seen in a public client of deployed instances (docs/assumptions.md).',
  ),
  Purpose: req(string, 'What it does.'),
});

const FieldLine = recordWithoutPresence('FieldLine', 'A parameter, a member of a result or a field of a record.', {
  Name: req(string, 'As the service spells it.'),
  Type: req(string, 'Its type.'),
  Presence: req(string, 'Req: always there; Nil: there, but may be nil; Opt: may be left out.'),
  Meaning: req(string, 'What it holds.'),
  Assumed: opt(string, 'What of it the interface document does not show: name, type, presence.'),
});

const RecordLine = recordWithoutPresence('RecordLine', 'A record or an enumeration that an operation uses.', {
  Name: req(string, 'As the service spells it.'),
  Meaning: req(string, 'What it is.'),
  Assumed: opt(string, 'What of it the interface document does not show: its name, or the whole of it.'),
  Fields: opt(list(FieldLine), 'Fields of a record, in the order of the wire.'),
  Values: opt(list(string), 'Values of an enumeration.'),
});

const OperationDescription = recordWithoutPresence('OperationDescription', 'All about one operation.', {
  ...OperationLine.fields,
  Parameters: req(list(FieldLine), 'Parameters in the order of the wire, behind the credentials.'),
  Result: req(list(FieldLine), 'Members of the result, in the order of the wire.'),
  Records: req(list(RecordLine), 'Records and enumerations that it uses.'),
});

interface FieldValues {
  readonly [name: string]: string;
}

type Line = Readonly<Record<string, string | boolean>>;

const presenceWords = { req: 'Req', nil: 'Nil', opt: 'Opt' } as const;

function line(operation: Operation): Line {
  return {
    Name: operation.name,
    Access: operation.access,
    Paged: operation.paged !== undefined,
    ...defined({ Replacement: operation.deprecated }),
    Source: operation.source,
    Purpose: operation.doc,
  };
}

/** True for a field whose presence the interface document states. */
type IsPresenceShown = (field: Field) => boolean;

function fieldLines(fields: Fields, isPresenceShown: IsPresenceShown): FieldValues[] {
  return fieldEntries(fields).map(([name, field]) => {
    const assumed = [
      ...(field.assumed === undefined ? [] : [field.assumed]),
      ...(isPresenceShown(field) ? [] : ['presence']),
    ];
    return {
      Name: name,
      Type: typeName(field.type),
      Presence: presenceWords[field.presence],
      Meaning: field.doc,
      ...(assumed.length === 0 ? {} : { Assumed: assumed.join(', ') }),
    };
  });
}

/** The document marks parameters as required, and members of a result, only where it extends the result envelope. */
const inOperation =
  ({ envelope }: Operation): IsPresenceShown =>
  (field) =>
    envelope && (field.presence === 'req' || field === resultEnvelope.Data);

const inRecord =
  ({ presence }: RecordType): IsPresenceShown =>
  () =>
    presence === 'documented';

/** Members of a result that the document gives: that others send the result envelope too is no word of it. */
const shownResult = (operation: Operation): Fields => (operation.envelope ? fullResult(operation) : operation.result);

/** Records and enumerations below some fields, each once, outermost first. */
function usedTypes(fields: Fields, found = new Map<string, Type>()): ReadonlyMap<string, Type> {
  for (const [, { type }] of fieldEntries(fields)) {
    const inner = type.kind === 'list' ? type.item : type;
    if (inner.kind === 'scalar' || inner.kind === 'list' || found.has(inner.name)) continue;
    found.set(inner.name, inner);
    if (inner.kind === 'record') usedTypes(inner.fields, found);
  }
  return found;
}

function recordLines(operation: Operation): object[] {
  const used = usedTypes({ ...operation.parameters, ...shownResult(operation) });
  return [...used.values()].flatMap((type): object[] => {
    switch (type.kind) {
      case 'record':
        return [
          {
            Name: type.name,
            Meaning: type.doc,
            ...defined({ Assumed: type.assumed }),
            Fields: fieldLines(type.fields, inRecord(type)),
          },
        ];
      case 'enumeration':
        return [{ Name: type.name, Meaning: type.doc, Values: type.values }];
      case 'scalar':
      case 'list':
        return [];
    }
  });
}

function describe(operation: Operation): Readonly<Record<string, unknown>> {
  return {
    ...line(operation),
    Parameters: fieldLines(operation.parameters, inOperation(operation)),
    Result: fieldLines(shownResult(operation), inOperation(operation)),
    Records: recordLines(operation),
  };
}

/** A mark behind what is assumed. */
const mark = '?';

/** The field with a mark behind what of it is assumed. */
function marked(field: FieldValues): FieldValues {
  const assumed = (field['Assumed'] ?? '').split(', ');
  const shown = (key: string): string => `${field[key] ?? ''}${assumed.includes(key.toLowerCase()) ? mark : ''}`;
  return { ...field, Name: shown('Name'), Type: shown('Type'), Presence: shown('Presence').padEnd(4) };
}

function fieldText(lines: readonly FieldValues[]): string[] {
  if (lines.length === 0) return ['  none'];
  const fields = lines.map(marked);
  const width = (key: string): number => Math.max(...fields.map((field) => (field[key] ?? '').length));
  const [name, type] = [width('Name'), width('Type')];
  return fields.map(
    (field) =>
      `  ${(field['Name'] ?? '').padEnd(name)}  ${(field['Type'] ?? '').padEnd(type)}  ${field['Presence'] ?? ''}  ${field['Meaning'] ?? ''}`,
  );
}

const recordMarks = { none: '', name: mark, whole: ' (assumed)' } as const;

function recordText(type: Type): string[] {
  switch (type.kind) {
    case 'record':
      return [
        '',
        `${type.name}${recordMarks[type.assumed ?? 'none']}: ${type.doc}`,
        ...fieldText(fieldLines(type.fields, inRecord(type))),
      ];
    case 'enumeration':
      return ['', `${type.name}: ${type.doc}`, `  ${type.values.join(', ')}`];
    case 'scalar':
    case 'list':
      return [];
  }
}

/** The description as people read it. */
function text(operation: Operation): string {
  const deprecated = operation.deprecated === undefined ? [] : [`Deprecated: use ${operation.deprecated}.`];
  const result = shownResult(operation);
  const isShown = inOperation(operation);
  const used = usedTypes({ ...operation.parameters, ...result });
  const paged = operation.paged === undefined ? '' : `, paged: ${operation.paged}`;
  const lines = [
    `${operation.name} (${operation.access}${paged})`,
    operation.doc,
    ...deprecated,
    ...(operation.source === 'observed'
      ? ['Assumed: the interface document only names it; its parameters and result are ours.']
      : []),
    '',
    'PARAMETERS',
    ...fieldText(fieldLines(operation.parameters, isShown)),
    '',
    'RESULT',
    ...fieldText(fieldLines(result, isShown)),
    ...[...used.values()].flatMap(recordText),
  ];
  const legend = lines.some((each) => each.includes(mark))
    ? ['', `${mark} is assumed: the interface document does not show it.`]
    : [];
  return [...lines, ...legend, ''].join('\n');
}

/** Prints every operation, one a line. */
export async function printOperations(context: Context, flags: OutputFlags): Promise<void> {
  const table = ['Name', 'Access', 'Replacement', 'Purpose'];
  const output = await openOutput(context, undefined, { flags, record: OperationLine, shape: 'list', table });
  await output.write(Object.values<Operation>(operations).map(line));
  await output.finish();
}

function known(name: string): Operation {
  const operation = findOperation(name);
  if (operation !== undefined) return operation;
  const suggestion = nearest(name, Object.keys(operations));
  throw usage(
    'NAME',
    `unknown operation '${name}'`,
    suggestion === undefined ? 'relctl operations' : `relctl operations ${suggestion}`,
  );
}

/** Prints all about one operation: as text, or as a record when a format is asked for. Throws `usage` for an unknown name. */
export async function printOperation(context: Context, flags: OutputFlags, name: string): Promise<void> {
  const operation = known(name);
  const preferred = context.environment.variables['RELCTL_OUTPUT'];
  const format = flaggedFormat(flags) ?? (preferred === undefined ? usualFormats.single : formatNamed(preferred));
  const isText = formats[format].audience === 'people';
  if (isText && flags['output-file'] === undefined) return context.streams.out.write(text(operation));
  const output = await openOutput(context, undefined, {
    flags,
    record: OperationDescription satisfies RecordType,
    shape: 'single',
  });
  await output.write([describe(operation) as never]);
  await output.finish();
}
