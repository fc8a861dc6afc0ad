import { timeReader } from '../../kit/session/times.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { type FieldCatalogue, type CatalogueField, fieldSpec, fieldValuesOf } from '../../lists/fields/catalogue.js';
import { withChoices, type ItemLists } from '../../lists/fields/choices.js';
import { heldBy, type FieldDescription } from '../../soap/codec/field-rules.js';
import type { FieldFinder } from '../columns.js';
import { withoutMistakes } from './read-row.js';
import type { BatchContext, RowField } from './rows-text.js';

interface FieldValue {
  readonly Id: string;
  readonly Value: string;
}

const listed = /^field\./i;

/** The field of a title, as people name it or as lists do: `Field.Subject`. Throws `usage`. */
function resolveField(catalogue: FieldCatalogue, title: string, flag: string): CatalogueField {
  try {
    return catalogue.find(title, flag);
  } catch (thrown) {
    if (!listed.test(title)) throw thrown;
    return catalogue.find(title.replace(listed, ''), flag);
  }
}

const flagWords = /^--field /;

/** Field values of rows, checked by what the catalogue knows; each text of a list is looked up once. */
export class RowFields {
  readonly #batchContext: BatchContext;
  readonly #catalogue: FieldCatalogue;
  readonly #lists: ItemLists = new Map();
  readonly #made = new Map<string, FieldValue | RelctlError>();

  constructor(batchContext: BatchContext, catalogue: FieldCatalogue) {
    this.#batchContext = batchContext;
    this.#catalogue = catalogue;
  }

  /** How columns are found among the fields. */
  get finder(): FieldFinder {
    return {
      idOf: (title) => resolveField(this.#catalogue, title, `the column '${title}'`).id,
      heldBy: (title) => {
        const { description } = resolveField(this.#catalogue, title, `the column '${title}'`);
        return description && heldBy(description);
      },
      names: this.#catalogue.names,
    };
  }

  /** The fields that there are; undefined where they were not looked up. */
  get ids(): readonly string[] | undefined {
    return this.#catalogue.ids;
  }

  /** How a field is described; undefined where descriptions were not looked up. */
  descriptionOf(id: string): FieldDescription | undefined {
    return this.#catalogue.find(id, id).description;
  }

  /** The name of a field in words: its column, alias or id. */
  nameOf(id: string): string {
    return this.#catalogue.nameOf(id) ?? id;
  }

  /** The values of a row, and of --field. Throws `RowMistakes` by titles of columns, and what the look-up throws. */
  async valuesOf(fields: readonly RowField[]): Promise<readonly FieldValue[]> {
    const own = await this.#valuesFor(fields, 'write');
    const said = new Set(own.map(({ Id }) => Id.toLowerCase()));
    const rest = (await this.#constants()).filter(({ Id }) => !said.has(Id.toLowerCase()));
    return [...own, ...rest];
  }

  /** The ids of the fields of --field. Throws `usage`. */
  constantIds(): readonly string[] {
    return this.#fieldsOfFlags().map(({ field }) => this.#catalogue.find(field, '--field').id);
  }

  #fieldsOfFlags(): readonly RowField[] {
    const texts = (this.#batchContext.flags['field'] ?? []) as readonly string[];
    return texts.map((text) => fieldSpec(text)).map(({ name, value }) => ({ field: name, value }));
  }

  async #constants(): Promise<readonly FieldValue[]> {
    return this.#valuesFor(this.#fieldsOfFlags(), 'write');
  }

  /** The values of a row that are searched for. Throws as `valuesOf`. */
  searchedOf(fields: readonly RowField[]): Promise<readonly FieldValue[]> {
    return this.#valuesFor(fields, 'search');
  }

  #valuesFor(fields: readonly RowField[], use: 'search' | 'write'): Promise<readonly FieldValue[]> {
    return withoutMistakes(fields.map((field) => () => this.#valueOf(field, use)));
  }

  async #valueOf({ field, value }: RowField, use: 'search' | 'write'): Promise<FieldValue> {
    const mark = JSON.stringify([use, field, value]);
    const made = this.#made.get(mark) ?? (await this.#make({ field, value }, use));
    // Texts that come once only need not be kept.
    if (this.#made.size < mostCached) this.#made.set(mark, made);
    if (made instanceof RelctlError) throw made;
    return made;
  }

  async #make({ field, value }: RowField, use: 'search' | 'write'): Promise<FieldValue | RelctlError> {
    const { context, session } = this.#batchContext;
    const catalogue = this.#catalogue;
    try {
      const { id, name } = resolveField(catalogue, field, field);
      const spec = `${name.includes('=') ? id : name}=${value ?? ''}`;
      const { texts } = await withChoices({ context, session }, [spec], {
        catalogue,
        use,
        lists: this.#lists,
      });
      const [made] = fieldValuesOf(texts, { catalogue, use, readTime: timeReader(context, session) });
      if (made === undefined) throw new RelctlError('bug', 'a field value was lost');
      return made;
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      if (error.kind !== 'usage') throw thrown;
      return error.but({ message: error.message.replace(flagWords, ''), facts: { ...error.facts, path: field } });
    }
  }
}

const mostCached = 10_000;
