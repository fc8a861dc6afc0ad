import { type RelctlError, type Remedy, perhaps, usage } from '../../core/errors/relctl-error.js';
import { pastedGuid } from '../../core/text/scalars.js';
import { inAnyCase, nearest } from '../../core/text/text.js';
import type { IdsByName } from '../../profiles/names.js';
import { type FieldDescription, isDateField, typeComplaint, writeComplaint } from '../../soap/codec/field-rules.js';
import { defined } from '../../core/values/value.js';

/** The field of a name. */
export interface CatalogueField {
  readonly id: string;
  /** The name that was typed, as it is spelled: of the field, of its alias, or its id. */
  readonly name: string;
  /** Missing when descriptions were not looked up, or have no such field. */
  readonly description?: FieldDescription;
}

/** Finds fields by id, by their names in the profile, by name or label. */
export interface FieldCatalogue {
  /** Finds a field. Throws `usage` for a name of no field, or of several. */
  find(text: string, flag: string): CatalogueField;
  nameOf(id: string): string | undefined;
  /** Names of all fields that were looked up, without those that two fields share. */
  readonly names: readonly string[];
  /** Ids of all fields that were looked up; undefined when none were. */
  readonly ids: readonly string[] | undefined;
}

/** What a field catalogue is made from. */
export interface FieldSources {
  readonly aliases: IdsByName;
  /** Descriptions of the fields; undefined when they were not looked up. */
  readonly fields?: readonly FieldDescription[];
  /** The hint for an unknown name, where no descriptions were looked up. */
  readonly remedy?: Remedy;
}

const namesOf = ({ Name, Label, UserFriendlyName }: FieldDescription): readonly string[] =>
  [Name, Label, UserFriendlyName].filter((name) => typeof name === 'string' && name !== '') as string[];

const sameId = (left: string | null | undefined, right: string): boolean => left?.toLowerCase() === right.toLowerCase();

function matches(fields: readonly FieldDescription[], text: string): readonly FieldDescription[] {
  const exact = fields.filter((field) => namesOf(field).includes(text));
  if (exact.length > 0) return exact;
  return fields.filter((field) => namesOf(field).some((name) => name.toLowerCase() === text.toLowerCase()));
}

/** The alias that a text is, in any case of letters unless a field has that very name. */
function aliasNamed(text: string, outputFields: readonly FieldDescription[], aliases: IdsByName): string | undefined {
  if (Object.hasOwn(aliases, text)) return text;
  const isName = outputFields.some((field) => namesOf(field).includes(text));
  return isName ? undefined : inAnyCase(text, Object.keys(aliases));
}

/** A field in words, for an error message. */
export const fieldForMessage = (field: FieldDescription): string =>
  `${field.Name ?? ''} (${field.Label ?? ''}, ${field.Id ?? ''})`;

function unknown(text: string, flag: string, { aliases, fields, remedy }: FieldSources): RelctlError {
  const known = fields?.flatMap(namesOf) ?? Object.keys(aliases);
  const names = fields === undefined ? known : [...new Set(fields.map(({ Name }) => Name ?? ''))];
  const there = names.length === 0 ? '' : `; there are ${names.join(', ')}`;
  return usage(flag, `${flag}: there is no field '${text}'${there}`, {
    ...remedy,
    ...perhaps(text, nearest(text, known)),
  });
}

const ambiguous = (text: string, flag: string, fields: readonly string[]): RelctlError =>
  usage(flag, `${flag}: '${text}' may be ${fields.join(' or ')}`, { advice: 'Use the id.' });

/** Makes a field catalogue (interface document, PvFieldData). */
export function fieldCatalogue(sources: FieldSources): FieldCatalogue {
  const { aliases, fields } = sources;
  const all = (fields ?? []).map(({ Name }) => Name ?? '').filter((name) => name !== '');
  // Names of columns are joined by dots, and listed with commas.
  const names = all.filter((name) => !/[.,]/.test(name) && all.indexOf(name) === all.lastIndexOf(name));
  const byId = (id: string, name = id): CatalogueField => {
    const description = fields?.find((field) => sameId(field.Id, id));
    return { id, name, ...defined({ description }) };
  };
  return {
    find(text, flag) {
      const id = pastedGuid(text);
      if (id !== undefined) return byId(id);
      const candidates = matches(fields ?? [], text);
      const called = aliasNamed(text, candidates, aliases);
      const alias = called === undefined ? undefined : aliases[called];
      if (alias !== undefined) {
        const shadowed = candidates.find(({ Id }) => !sameId(Id, alias));
        if (shadowed === undefined) return byId(alias, called);
        throw ambiguous(text, flag, [`${alias}, as the profile calls it,`, fieldForMessage(shadowed)]);
      }
      const [only, other] = candidates;
      if (only === undefined) throw unknown(text, flag, sources);
      if (other !== undefined) throw ambiguous(text, flag, candidates.map(fieldForMessage));
      return { id: only.Id ?? '', name: inAnyCase(text, namesOf(only)) ?? text, description: only };
    },
    nameOf: (id) => {
      const name = fields?.find((field) => sameId(field.Id, id))?.Name ?? undefined;
      if (name !== undefined && names.includes(name)) return name;
      return Object.entries(aliases).find(([alias, known]) => sameId(known, id) && !/[.,]/.test(alias))?.[0];
    },
    names,
    ids: fields?.map(({ Id }) => Id).filter((id) => typeof id === 'string'),
  };
}

/** Reads `NAME-OR-ID=VALUE`. All text after the first `=` is the value, which may be empty. Throws `usage`. */
export function fieldSpec(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf('=');
  if (at > 0) return { name: text.slice(0, at), value: text.slice(at + 1) };
  throw usage('--field', `--field takes NAME=VALUE or ID=VALUE, not '${text}'`, {
    advice: 'For example: --field Subject="Call back"',
  });
}

/** Turns a time as people write it into a dateTime. Throws `usage`. */
type ReadTime = (text: string, flag: string) => string;

function valueFor({ description }: CatalogueField, text: string, readTime: ReadTime): string {
  if (description === undefined || text === '') return text;
  if (description.Type === 'UniqueIdentifier') return pastedGuid(text) ?? text;
  return isDateField(description) ? readTime(text, '--field') : text;
}

function check(field: CatalogueField, value: string, use: 'search' | 'write'): void {
  const { description } = field;
  if (description === undefined) return;
  const complaint = use === 'write' ? writeComplaint(description, value) : typeComplaint(description, value);
  if (complaint === undefined) return;
  throw usage('--field', `--field ${description.Name ?? field.id} ${complaint}`);
}

/** How field values are read. */
export interface FieldUse {
  readonly catalogue: FieldCatalogue;
  readonly use: 'search' | 'write';
  readonly readTime: ReadTime;
}

/**
 * The field values of `--field` flags, checked by the descriptions of the fields that were looked up. Throws `usage` for an
 * unknown or ambiguous name, a value that its field does not take, and a field that is named twice.
 */
export function fieldValuesOf(
  texts: readonly string[] | undefined,
  { catalogue, use, readTime }: FieldUse,
): readonly { readonly Id: string; readonly Value: string }[] {
  const seen = new Set<string>();
  return (texts ?? []).map((text) => {
    const { name, value } = fieldSpec(text);
    const catalogueField = catalogue.find(name, '--field');
    if (seen.has(catalogueField.id.toLowerCase())) {
      throw usage('--field', `--field ${name} is set twice`);
    }
    seen.add(catalogueField.id.toLowerCase());
    const Value = valueFor(catalogueField, value, readTime);
    check(catalogueField, Value, use);
    return { Id: catalogueField.id, Value };
  });
}
