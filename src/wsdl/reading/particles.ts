import { badAnswer } from '../../core/errors/relctl-error.js';
import { forMessage } from '../../core/text/text.js';
import {
  docOf,
  isTrue,
  referenceIn,
  schemaChildren,
  schemaNamespace,
  type Component,
  type Components,
} from './components.js';
import type { DescribedField, DescribedType } from './described.js';
import { isName, keyOf, type QName } from './node.js';
import { defined } from '../../core/values/value.js';

/** How many groups, or types that types are made of, are looked into. */
export const mostWithin = 100;

/** What gives elements their types. */
export interface ElementTypes {
  readonly components: Components;
  /** The namespace of elements of which none is said. */
  readonly namespace: string;
  /** Says that something is not read. */
  skip(subject: string, what: string): void;
  /** Counts an element, or what holds some. Throws `bad-answer` when there are too many. */
  count(): void;
  /** The type of an element. Throws `bad-answer` for a name that nothing declares. */
  ofElement(component: Component, name: string): DescribedType;
}

interface Within {
  readonly types: ElementTypes;
  readonly name: string;
  readonly isOptional: boolean;
  /** Groups that they are within, which must not hold themselves. */
  readonly groups: readonly string[];
  /** Gives a choice its number among those of the record. */
  readonly numberOfChoice: () => number;
}

const most = ({ node }: Component): number => {
  const text = node.attribute('maxOccurs')?.trim() ?? '1';
  return text === 'unbounded' ? Number.POSITIVE_INFINITY : Number(text);
};

const isOptional = ({ node }: Component): boolean => Number(node.attribute('minOccurs') ?? '1') === 0;

/** What is told of an element in whose place others may stand. */
export const standIn = 'an element that others can substitute';

function elementNamespaceOf({ node, schema }: Component): string {
  const form = node.attribute('form') ?? schema.root.attribute('elementFormDefault') ?? 'unqualified';
  return form === 'qualified' ? schema.namespace : '';
}

function resolveDeclaration(component: Component, types: ElementTypes): Component & QName {
  const reference = component.node.attribute('ref');
  if (reference !== undefined) {
    const named = referenceIn(component, reference);
    const { node, schema } = types.components.get('element', named);
    if (types.components.isHead(named) || isTrue(node, 'abstract')) types.skip(named.local, standIn);
    return { node, schema, ...named };
  }
  const { node, schema } = component;
  const local = node.attribute('name')?.trim() ?? '';
  if (!isName(local)) throw badAnswer('wsdl', `'${forMessage(local, 80)}' is not the name of an element`);
  return { node, schema, local, namespace: elementNamespaceOf(component) };
}

function presenceOf(isOptional: boolean, isNillable: boolean): Pick<DescribedField, 'presence' | 'nillable'> {
  if (!isOptional) return { presence: isNillable ? 'nil' : 'req' };
  return { presence: 'opt', ...(isNillable ? { nillable: true } : {}) };
}

function fieldOf(component: Component, { types, isOptional: mayLack }: Within): DescribedField {
  const declared = resolveDeclaration(component, types);
  const { local: name, namespace, node } = declared;
  const unsent = isTrue(node, 'abstract') ? 'another element must substitute it (abstract)' : undefined;
  return {
    name,
    type: types.ofElement(declared, name),
    ...presenceOf(mayLack || isOptional(component), isTrue(node, 'nillable')),
    doc: docOf(component.node),
    ...(most(component) > 1 ? { repeats: true } : {}),
    ...(namespace === types.namespace ? {} : { namespace }),
    ...defined({ unsent }),
  };
}

function fieldOfElement(component: Component, within: Within): readonly DescribedField[] {
  const reference = component.node.attribute('ref');
  if (reference === undefined || referenceIn(component, reference).namespace !== schemaNamespace)
    return [fieldOf(component, within)];
  within.types.skip(within.name, 'a schema within a message: read but never sent');
  return [];
}

function fieldsOfPart(component: Component, within: Within): readonly DescribedField[] | undefined {
  const { node } = component;
  const { types, name } = within;
  types.count();
  switch (node.local) {
    case 'element':
      return most(component) === 0 ? [] : fieldOfElement(component, within);
    case 'any':
      types.skip(name, 'any element: read but never sent');
      return [];
    case 'group':
      return fieldsOfGroup(component, within);
    case 'sequence':
    case 'all':
    case 'choice':
      return fieldsOfParts(component, component, within);
    default:
      return [];
  }
}

function fieldsOfGroup(component: Component, within: Within): readonly DescribedField[] | undefined {
  const { types, name, groups } = within;
  const reference = referenceIn(component, component.node.attribute('ref') ?? '');
  const key = keyOf(reference);
  if (groups.includes(key) || groups.length > mostWithin) {
    types.skip(name, 'a group that contains itself');
    return undefined;
  }
  const group = types.components.get('group', reference);
  return fieldsOfParts(group, component, { ...within, groups: [...groups, key] });
}

/** The fields of all parts of a content that stands as often as its `place` says. */
function fieldsOfParts(component: Component, owner: Component, within: Within): readonly DescribedField[] | undefined {
  if (most(owner) === 0) return [];
  const { node, schema } = component;
  const inner = { ...within, isOptional: within.isOptional || isOptional(owner) };
  const parts: (readonly DescribedField[])[] = [];
  for (const each of schemaChildren(node)) {
    const describedFields = fieldsOfPart({ node: each, schema }, inner);
    if (describedFields === undefined) return undefined;
    parts.push(describedFields);
  }
  const isOne = node.local !== 'choice' || most(owner) > 1;
  const fields = isOne ? asOptional(parts.flat(), node.local === 'choice') : chosen(parts, within.numberOfChoice());
  if (most(owner) <= 1) return fields;
  // One element that comes again and again is a list; several in turn are an order that no record keeps.
  if (fields.length === 1) return fields.map((field) => ({ ...field, repeats: true }));
  within.types.skip(within.name, 'a sequence of elements that repeats');
  return undefined;
}

const optional = ({ presence, nillable }: DescribedField): ReturnType<typeof presenceOf> =>
  presenceOf(true, presence === 'nil' || nillable === true);

const asOptional = (fields: readonly DescribedField[], mayLack: boolean): readonly DescribedField[] =>
  mayLack ? fields.map((field) => ({ ...field, ...optional(field) })) : fields;

/**
 * The fields of a choice, each with its branch. A choice that is a branch itself brings its own; one that is further inside is
 * not told apart.
 */
function chosen(parts: readonly (readonly DescribedField[])[], choice: number): readonly DescribedField[] {
  const branches = new Set<string>();
  const isNeeded = parts.every((fields) => fields.some(isAlwaysThere));
  return parts.flatMap((fields, part) =>
    fields.map((field) => {
      const isInner = fields.every((each) => each.choice !== undefined && each.choice.choice === field.choice?.choice);
      branches.add(`${part} ${isInner ? (field.choice?.branch ?? 0) : 0}`);
      const branch = branches.size - 1;
      return { ...field, ...optional(field), choice: { choice, branch, ...(isNeeded ? { isNeeded } : {}) } };
    }),
  );
}

const isAlwaysThere = ({ presence, choice }: DescribedField): boolean =>
  choice === undefined ? presence !== 'opt' : choice.isNeeded === true;

/** How many choices there are in fields. */
export const choicesIn = (fields: readonly DescribedField[]): number =>
  fields.reduce((most, { choice }) => Math.max(most, (choice?.choice ?? -1) + 1), 0);

/**
 * The fields that stand directly in a type, or in what it adds to another; undefined when no record holds them.
 * @param of what they belong to, for messages, and how many choices it has already
 */
export function fieldsIn(
  types: ElementTypes,
  { node, schema }: Component,
  { name, choices = 0 }: { readonly name: string; readonly choices?: number },
): readonly DescribedField[] | undefined {
  const fields: DescribedField[] = [];
  let next = choices;
  const numberOfChoice = (): number => next++;
  for (const each of schemaChildren(node)) {
    const within = { types, name, isOptional: false, groups: [], numberOfChoice };
    const partFields = fieldsOfPart({ node: each, schema }, within);
    if (partFields === undefined) return undefined;
    for (const field of partFields) fields.push(field);
  }
  return distinct(types, fields, name);
}

/** The same fields; undefined, which is told, when two of them have one name. */
export function distinct(
  types: ElementTypes,
  fields: readonly DescribedField[],
  name: string,
): readonly DescribedField[] | undefined {
  const names = new Set(fields.map((field) => field.name));
  if (names.size === fields.length) return fields;
  types.skip(name, 'an element at several positions');
  return undefined;
}
