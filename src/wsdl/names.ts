import type { Type } from '../contract/build.js';
import { listName } from '../contract/walk.js';
import type { Element } from './element.js';

/** Namespaces by the prefixes under which the root declares them, in the order in which .asmx services do. */
export const prefixes = {
  'xmlns:soap': 'http://schemas.xmlsoap.org/wsdl/soap/',
  'xmlns:tm': 'http://microsoft.com/wsdl/mime/textMatching/',
  'xmlns:soapenc': 'http://schemas.xmlsoap.org/soap/encoding/',
  'xmlns:mime': 'http://schemas.xmlsoap.org/wsdl/mime/',
  'xmlns:s': 'http://www.w3.org/2001/XMLSchema',
  'xmlns:s1': 'http://microsoft.com/wsdl/types/',
  'xmlns:soap12': 'http://schemas.xmlsoap.org/wsdl/soap12/',
  'xmlns:http': 'http://schemas.xmlsoap.org/wsdl/http/',
  'xmlns:wsdl': 'http://schemas.xmlsoap.org/wsdl/',
} as const satisfies Element['attributes'];

/** Name of the base type of results with the result envelope. The interface document gives it none; this one is ours. */
export const resultBase = 'PvApiResult';

/** The name by which elements refer to a type; undefined for untyped ones, which have no `type` at all. */
export function typeReference(type: Type): string | undefined {
  switch (type.kind) {
    case 'scalar':
      if (type.name === 'anyType') return undefined;
      return type.name === 'guid' ? 's1:guid' : `s:${type.name}`;
    case 'enumeration':
    case 'record':
      return `tns:${type.name}`;
    case 'list':
      return `tns:${listName(type)}`;
  }
}

/** True for what .NET keeps by reference: text, records, lists, untyped. Only these may be nil as items of a list. */
export const isReference = (type: Type): boolean =>
  type.kind === 'record' ||
  type.kind === 'list' ||
  (type.kind === 'scalar' && (type.name === 'string' || type.name === 'anyType'));
