import type { Fields, ListType, Operation, Type } from '../../contract/build.js';
import { resultEnvelope } from '../../contract/records/result.js';
import { fieldEntries } from '../../contract/walk.js';
import { xsdNamespace, xsiNamespace } from '../../soap/values/scalars.js';
import { contentTypeOf, soapActionOf, soapVersions, type SoapVersion } from '../../soap/wire/version.js';
import { xmlDeclaration } from '../../xml/writer.js';
import { requestFields } from '../credentials.js';
import { type Html, markup } from './layout.js';

/** From this depth on a record is shown nil, as the pages of .asmx services do. */
const deepest = 4;

const placeholder = (text: string): Html => markup`<span class="v">${text}</span>`;

interface Place {
  readonly name: string;
  readonly depth: number;
  readonly indent: string;
}

const line = ({ indent }: Place, content: Html): Html => markup`${indent}${content}\n`;

function leaf(place: Place, value: Html): Html {
  return line(place, markup`&lt;${place.name}&gt;${value}&lt;/${place.name}&gt;`);
}

function nested(place: Place, inner: readonly Html[]): Html {
  const { name, indent } = place;
  if (inner.length === 0) return nil(place);
  return markup`${indent}&lt;${name}&gt;\n${inner}${indent}&lt;/${name}&gt;\n`;
}

const within = (place: Place, name: string): Place => ({
  name,
  depth: place.depth + 1,
  indent: `${place.indent}  `,
});

const nil = (place: Place): Html => line(place, markup`&lt;${place.name} xsi:nil="true" /&gt;`);

function listed(place: Place, type: ListType): Html {
  const item = element(within(place, type.itemName), type.item);
  return nested(place, [item, item]);
}

function element(place: Place, type: Type): Html {
  switch (type.kind) {
    case 'scalar':
      if (type.name === 'anyType') return line(place, markup`&lt;${place.name} /&gt;`);
      return leaf(place, placeholder(type.name));
    case 'enumeration':
      return leaf(place, placeholder(type.values.join(' or ')));
    case 'list':
      return place.depth >= deepest ? nil(place) : listed(place, type);
    case 'record':
      return place.depth >= deepest ? nil(place) : nested(place, members(place, type.fields));
  }
}

const members = (place: Place, fields: Fields): readonly Html[] =>
  fieldEntries(fields).map(([name, { type }]) => element(within(place, name), type));

function envelope(version: SoapVersion, content: Html): Html {
  const space = soapVersions[version].envelopeNamespace;
  return markup`${xmlDeclaration}
&lt;soap:Envelope xmlns:soap="${space}" xmlns:xsi="${xsiNamespace}" xmlns:xsd="${xsdNamespace}"&gt;
  &lt;soap:Body&gt;
${content}  &lt;/soap:Body&gt;
&lt;/soap:Envelope&gt;`;
}

/** What a sample is made for. */
export interface SampleText {
  readonly operation: Operation;
  readonly version: SoapVersion;
  readonly namespace: string;
  /** Host and port under which the page was asked for. */
  readonly host: string;
  /** Path of the service there. */
  readonly path: string;
}

const root = (name: string, depth: number): Place => ({ name, depth, indent: '    ' });

/** A request with placeholders, head and body, for people to read. */
export function sampleRequest({ operation, version, namespace, host, path }: SampleText): Html {
  const { name } = operation;
  const inner = members(root(name, 0), requestFields(operation));
  const action =
    soapVersions[version].soapAction === 'header' ? markup`SOAPAction: ${soapActionOf(namespace, name)}\n` : undefined;
  const content = markup`    &lt;${name} xmlns="${namespace}"&gt;\n${inner}    &lt;/${name}&gt;\n`;
  return markup`POST ${path} HTTP/1.1
Host: ${host}
Content-Type: ${contentTypeOf(version)}
Content-Length: ${placeholder('length')}
${action}
${envelope(version, content)}`;
}

/** An answer with placeholders, head and body, for people to read. */
export function sampleResponse({ operation, version, namespace }: SampleText): Html {
  const { name } = operation;
  const fields = operation.envelope ? { ...resultEnvelope, ...operation.result } : operation.result;
  const result = nested({ name: `${name}Result`, depth: 1, indent: '      ' }, [
    ...members({ name: '', depth: 1, indent: '      ' }, fields),
  ]);
  const content = markup`    &lt;${name}Response xmlns="${namespace}"&gt;\n${result}    &lt;/${name}Response&gt;\n`;
  return markup`HTTP/1.1 200 OK
Content-Type: ${contentTypeOf(version)}
Content-Length: ${placeholder('length')}

${envelope(version, content)}`;
}
