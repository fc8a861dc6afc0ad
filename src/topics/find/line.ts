import { inRole, opt, recordWithoutPresence, req } from '../../contract/build.js';
import { dateTime, guid, string } from '../../contract/scalars.js';
import type { Hit } from '../../mirror/search/find.js';
import type { SearchedValue } from '../../mirror/search/match.js';
import type { RecordValue } from '../../plain/value.js';

/** What `find` prints. */
export const FindLine = recordWithoutPresence('Found', 'A record of the mirror that was found.', {
  Type: req(string, 'What it is: relation, relationship, telephone, product, mark and others.'),
  Name: inRole('name', opt(string, 'Its name; of a telephone number the name of the relation.')),
  Column: opt(string, 'Where something was found: the column of the mirror.'),
  Text: inRole('key', opt(string, 'What stands there.')),
  Id: req(guid, 'Id of the record; of a telephone number the Id of the relation.'),
  GoneAt: opt(dateTime, 'When the service had it no longer; with --gone.'),
});

/** Columns of a table; with --gone it says which records are there no longer. */
export const findColumns = (gone: boolean): readonly string[] => [
  ...['Type', 'Name', 'Id', 'Text', 'Column'],
  ...(gone ? ['GoneAt'] : []),
];

/** What matched, of which a name that is shown anyway says least. */
export const toldOf = ({ name, match: { values } }: Hit): SearchedValue | undefined =>
  values.find(({ text }) => text !== name) ?? values[0];

/** A hit as a record. */
export function lineOf(hit: Hit): RecordValue {
  const { type, id, name, goneAt } = hit;
  const told = toldOf(hit);
  return {
    Type: type,
    Name: name ?? null,
    Column: told?.column ?? null,
    Text: told?.text ?? null,
    Id: id,
    GoneAt: goneAt ?? null,
  };
}
