import type { RowParameter } from '../../writes/columns.js';
import { RowFields } from '../../writes/rows/row-fields.js';
import type { RowsText, RowValues } from '../../writes/rows/rows-text.js';
import { translationsOf } from './translations.js';
import { operations } from '../../contract/service.js';
import { usage } from '../../core/errors/relctl-error.js';
import { aliasCatalogue } from '../../lists/fields/look-up.js';

const prefix = 'translation.';

function translationColumn(title: string): RowParameter | undefined {
  if (!title.toLowerCase().startsWith(prefix)) return undefined;
  const language = title.slice(prefix.length);
  try {
    translationsOf([`${language}=`]);
  } catch {
    throw usage(title, `the column '${title}' does not name a language, such as ${prefix}nl-NL`);
  }
  // Two columns of one language are the same in any case of letters.
  return { name: prefix + language.toLowerCase(), reader: (text) => `${language}=${text}` };
}

/** The translations of a row, and those of --translation for languages that it does not say. */
function translationsIn({ values }: RowValues): ReturnType<typeof translationsOf> {
  const own = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith(prefix) && typeof value === 'string' ? [value] : [],
  );
  const translations = (values['translation'] ?? []) as readonly string[];
  const hasText = (text: string): boolean =>
    values[prefix + text.slice(0, text.indexOf('=')).toLowerCase()] !== undefined;
  const all = [...own, ...translations.filter((text) => !hasText(text))];
  return all.length === 0 ? undefined : translationsOf(all);
}

/** How entries of datastores are made by the rows of a file. */
export const itemRows: RowsText<RowFields> = {
  operation: operations.DatastoreCreateItem_V3,
  does: 'add',
  record: { argument: 'entity-type', members: ['entityTypeId'] },
  members: {},
  ofAll: ['field', 'translation'],
  ownColumn: translationColumn,
  fields: (fields) => fields.finder,
  open: (batchContext) =>
    Promise.resolve(new RowFields(batchContext, aliasCatalogue(batchContext.context, batchContext.session))),
  plan: async (row, fields) => {
    const entityTypeId = String(row.values['entity-type']);
    const fieldValues = (await fields.valuesOf(row.fields)).map((each) => ({ ...each }));
    const translations = translationsIn(row)?.map((each) => ({ ...each }));
    if (fieldValues.length === 0 && translations === undefined)
      throw usage(undefined, 'has no value of a field, and no translation');
    return {
      key: entityTypeId.toLowerCase(),
      title: `an entry in datastore ${entityTypeId}`,
      input: { entityTypeId, fieldValues, ...(translations === undefined ? {} : { translations }) },
      changes: [
        ...fieldValues.map(({ Id, Value }) => ({ name: fields.nameOf(Id), to: Value })),
        ...(translations ?? []).map(({ CultureCode, Value }) => ({ name: prefix + CultureCode, to: Value })),
      ],
    };
  },
};
