import type { Field, Fields } from '../../src/contract/build.js';
import { enumerations } from '../../src/contract/enumerations.js';
import { records } from '../../src/contract/service.js';
import { typeName } from '../../src/contract/walk.js';
import { code, table } from './markdown.js';

/** What stands behind the type; nothing for a field that always has a value. */
const presenceWords = { req: '', nil: ', nillable', opt: ', optional' } as const;

const typeText = ({ type, presence }: Field): string => `${typeName(type)}${presenceWords[presence]}`;

/** A field in a line of a list. */
export const fieldLine = ([name, field]: readonly [name: string, field: Field]): string =>
  `- ${code(name)} (${typeText(field)}): ${field.doc}`;

/** A table of fields. */
export function fieldsTable(fields: Fields): string {
  return table(
    ['field', 'type', 'meaning'],
    Object.entries(fields).map(([name, field]) => [code(name), typeText(field), field.doc]),
  );
}

/** Every record and enumeration of the contract. */
export function recordsText(): string {
  const recordParts = Object.values(records).map((record) =>
    [
      `### ${record.name}`,
      record.doc,
      record.presence === 'assumed' ? 'What is sent is assumed: the service does not say.' : '',
      fieldsTable(record.fields),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  );
  const enumerationParts = Object.values(enumerations).map(({ name, doc, values }) =>
    [`### ${name}`, doc, values.map(code).join(', ')].join('\n\n'),
  );
  return ['## Records', ...recordParts, '## Enumerations', ...enumerationParts].join('\n\n');
}
