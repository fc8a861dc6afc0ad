import type { ScalarName } from '../../contract/build.js';
import { schemaNamespace } from './components.js';
import type { DescribedType } from './described.js';
import type { QName } from './node.js';

/** Namespaces in which services of .NET keep the type `guid`. */
const guidNamespaces: ReadonlySet<string> = new Set([
  'http://microsoft.com/wsdl/types/',
  'http://schemas.microsoft.com/2003/10/Serialization/',
]);

/** The scalar of the contract that holds all values of a type of XML Schema, where its name is another one. */
const wider: ReadonlyMap<string, ScalarName> = new Map([
  ['byte', 'short'],
  ['unsignedByte', 'short'],
  ['unsignedShort', 'int'],
  ['unsignedInt', 'long'],
  ['anySimpleType', 'string'],
  ['integer', 'decimal'],
  ['nonNegativeInteger', 'decimal'],
  ['positiveInteger', 'decimal'],
  ['nonPositiveInteger', 'decimal'],
  ['negativeInteger', 'decimal'],
  ['unsignedLong', 'decimal'],
]);

const same: ReadonlySet<ScalarName> = new Set([
  'string',
  'boolean',
  'int',
  'short',
  'long',
  'decimal',
  'dateTime',
  'anyType',
]);

const asText: ReadonlySet<string> = new Set([
  ...['float', 'double', 'date', 'time', 'duration', 'gYear', 'gYearMonth', 'gMonth', 'gMonthDay', 'gDay'],
  ...['base64Binary', 'hexBinary', 'anyURI', 'QName', 'NOTATION', 'normalizedString', 'token', 'language'],
  ...['Name', 'NCName', 'NMTOKEN', 'NMTOKENS', 'ID', 'IDREF', 'IDREFS', 'ENTITY', 'ENTITIES'],
]);

const isSame = (name: string): name is ScalarName => (same as ReadonlySet<string>).has(name);

/** The scalar that a type of XML Schema, or the guid of .NET, is kept as; undefined for any other name. */
export function builtIn({ namespace, local }: QName): DescribedType | undefined {
  if (guidNamespaces.has(namespace)) return local === 'guid' ? { kind: 'scalar', name: 'guid' } : undefined;
  if (namespace !== schemaNamespace) return undefined;
  if (isSame(local)) return { kind: 'scalar', name: local };
  const name = wider.get(local) ?? (asText.has(local) ? 'string' : undefined);
  return name === undefined ? undefined : { kind: 'scalar', name, as: local };
}
