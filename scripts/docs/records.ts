import type { Fields } from '../../src/contract/build.js';
import { enumerations } from '../../src/contract/enumerations.js';
import { records } from '../../src/contract/service.js';
import { fieldEntries, typeName } from '../../src/contract/walk.js';
import { code, table } from './markdown.js';

const presenceWords = { req: 'always', nil: 'always, may be nil', opt: 'may be left out' } as const;

/** A table of fields. */
export function fieldsTable(fields: Fields): string {
  return table(
    ['field', 'type', 'sent', 'meaning'],
    fieldEntries(fields).map(([name, { type, presence, doc }]) => [
      code(name),
      typeName(type),
      presenceWords[presence],
      doc,
    ]),
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
