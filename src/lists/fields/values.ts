import { pastedGuid } from '../../core/text/scalars/guid.js';
import { isDateField, typeComplaint, writeComplaint } from '../../soap/codec/field-rules.js';
import type { FieldCatalogue, CatalogueField } from './catalogue.js';
import { usage } from '../../core/errors/relctl-error.js';

/** A `--field` as it was typed. */
export interface FieldSpec {
  readonly name: string;
  readonly value: string;
}

/** Reads `NAME-OR-ID=VALUE`. All text after the first `=` is the value, which may be empty. Throws `usage`. */
export function fieldSpec(text: string): FieldSpec {
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
      throw usage('--field', `--field ${name} is given twice`);
    }
    seen.add(catalogueField.id.toLowerCase());
    const Value = valueFor(catalogueField, value, readTime);
    check(catalogueField, Value, use);
    return { Id: catalogueField.id, Value };
  });
}
