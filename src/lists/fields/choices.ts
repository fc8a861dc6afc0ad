import { wholeListIn } from '../../client/list-answer.js';
import { profileStore } from '../../kit/session/profile-store.js';
import type { Session } from '../../kit/session/session.js';
import type { Output } from '../../contract/infer.js';
import { operations } from '../../contract/service.js';
import { type RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { isGuid, pastedGuid } from '../../core/text/scalars.js';
import { nearest, shellCommand, shellWord } from '../../core/text/text.js';
import { namesLike, namesOf } from '../../profiles/names.js';
import type { FieldDescription } from '../../soap/codec/field-rules.js';
import { fieldForMessage, type FieldCatalogue, fieldSpec } from './catalogue.js';

const operation = operations.DatastoreGetWithParentItems_V2;

type Item = NonNullable<NonNullable<Output<typeof operation>['DatastoreItems']>[number]>;

interface ChoiceContext {
  readonly context: Context;
  readonly session: Session;
}

interface Choice {
  readonly name: string;
  readonly field: FieldDescription;
  readonly text: string;
  readonly datastoreId: string;
}

/** True for a field whose value is the Id of an item of a datastore. Fields without a list say Datastore too. */
const choosesItem = ({ ComboboxValues, Control, Type }: FieldDescription): boolean =>
  ComboboxValues === 'Datastore' && Control === 'PvComboBox' && Type === 'UniqueIdentifier';

const textsOf = ({ Description, Translations }: Item): readonly string[] =>
  [Description, ...(Translations ?? []).map((each) => each?.Value)].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );

/** The items that a text means: those that have it to the letter, else those that have it in any case of letters. */
function itemsLike(text: string, items: readonly Item[]): readonly Item[] {
  const like = namesLike(text, items.flatMap(textsOf));
  return items.filter((item) => textsOf(item).some((each) => like.includes(each)));
}

const typed = (name: string, value: string): string => `--field ${shellWord(`${name}=${value}`)}`;

const itemWords = ({ Description, Id, IsInactive }: Item): string =>
  `${Description ?? ''}${IsInactive === true ? ', inactive' : ''} (${Id ?? ''})`;

const mostListed = 10;

function noItem({ name, field, text, datastoreId }: Choice, items: readonly Item[]): RelctlError {
  const near = nearest(text, items.flatMap(textsOf));
  const words = items.slice(0, mostListed).map(({ Description }) => Description ?? '');
  const more = items.length > mostListed ? ` and ${items.length - mostListed} more` : '';
  return usage(
    '--field',
    `--field ${name}: the datastore of ${fieldForMessage(field)} has no item '${text}'; it has ${words.join(', ')}${more}`,
    near === undefined ? shellCommand(['datastore', 'items', datastoreId]) : typed(name, near),
  );
}

/** The one item of a text. Throws `usage` for none, for several, and for one that is not in use where it would be written. */
function itemOf(choice: Choice, items: readonly Item[], use: 'search' | 'write'): Item {
  const { name, text } = choice;
  const [only, ...others] = itemsLike(text, items);
  if (only === undefined) throw noItem(choice, items);
  const all = [only, ...others];
  if (others.length > 0)
    throw usage('--field', `--field ${name}: '${text}' may be ${all.map(itemWords).join(' or ')}`, {
      advice: `Use the Id of one: ${all.map(({ Id }) => `\`${typed(name, Id ?? '')}\``).join(' or ')}`,
      hint: shellCommand(['datastore', 'items', choice.datastoreId]),
    });
  if (only.IsInactive !== true || use === 'search') return only;
  throw usage(
    '--field',
    `--field ${name}: ${itemWords(only)} is inactive; use its Id to choose it anyway`,
    typed(name, only.Id ?? ''),
  );
}

function noDatastore(name: string, text: string, field: FieldDescription): RelctlError {
  const guid = pastedGuid(field.ExtraInfo ?? '');
  const which = guid === undefined ? 'use the Id of the item' : `its ExtraInfo is ${guid}`;
  return usage(
    '--field',
    `--field ${name}: '${text}' is not a GUID, and the profile does not set which datastore ${fieldForMessage(field)} chooses from; ${which}`,
    shellCommand(['name', 'set', 'field-datastore', field.Id ?? '', guid ?? 'ID']),
  );
}

/** Field values with Ids in the place of texts, and what each text means, in words. */
export interface Chosen {
  readonly texts: readonly string[] | undefined;
  readonly said: readonly string[];
}

/** The items of datastores that were read, by the ids of the datastores. */
export type ItemLists = Map<string, readonly Item[]>;

interface ChoiceUse {
  readonly catalogue: FieldCatalogue;
  readonly use: 'search' | 'write';
  /** What was read for values before, and is read for these. */
  readonly lists?: ItemLists;
}

async function itemsIn({ session }: ChoiceContext, entityTypeId: string): Promise<readonly Item[]> {
  const reply = await session.client.call(operation, { entityTypeId, includeTranslations: true });
  // Where the list is left out, nobody can say that an item is not there.
  wholeListIn({ operation, shows: 'DatastoreItems' }, reply.result, false);
  // An item without an Id cannot be chosen: an empty value would empty the field.
  return (reply.result.DatastoreItems ?? []).filter((item) => item !== null).filter(({ Id }) => isGuid(Id ?? ''));
}

/** The choice that a `--field` makes by a text; undefined where its value is sent as it is. Throws `usage`. */
function choiceIn(choiceContext: ChoiceContext, catalogue: FieldCatalogue, spec: string): Choice | undefined {
  const { name, value: text } = fieldSpec(spec);
  const { id, description: field } = catalogue.find(name, '--field');
  if (field === undefined || !choosesItem(field) || text === '' || pastedGuid(text) !== undefined) return undefined;
  const { context, session } = choiceContext;
  const names = namesOf(profileStore(context).kept(session.profile.name));
  const datastoreId = names['field-datastore'][id.toLowerCase()];
  if (datastoreId === undefined) throw noDatastore(name, text, field);
  return { name, field, text, datastoreId };
}

/**
 * Puts the Ids of items in the place of their texts, for fields that choose from a datastore which the profile knows. The
 * items are read, also by a dry run. A GUID means itself. Throws `usage` for a text of no item, of several, and of one that
 * is not in use where it would be written, `profile`, `bad-answer` and what the call throws.
 */
export async function withChoices(
  context: ChoiceContext,
  specs: readonly string[] | undefined,
  { catalogue, use, lists = new Map() }: ChoiceUse,
): Promise<Chosen> {
  const choices = (specs ?? []).map((spec) => ({ spec, choice: choiceIn(context, catalogue, spec) }));
  const texts: string[] = [];
  const said: string[] = [];
  for (const { spec, choice } of choices) {
    if (choice === undefined) {
      texts.push(spec);
      continue;
    }
    const { name, text, datastoreId } = choice;
    const items = lists.get(datastoreId) ?? (await itemsIn(context, datastoreId));
    lists.set(datastoreId, items);
    const item = itemOf(choice, items, use);
    texts.push(`${name}=${item.Id ?? ''}`);
    said.push(`--field ${name}: '${text}' is ${itemWords(item)}`);
  }
  return { texts: specs === undefined ? undefined : texts, said };
}
