import type { Fields, Operation, Type } from '../../contract/build.js';
import { resultEnvelope } from '../../contract/records/result.js';
import { fieldEntries, requestFields } from '../../contract/walk.js';
import { xsdNamespace, xsiNamespace } from '../../soap/values/scalars.js';
import { contentTypeOf, soapActionOf, soapVersions, type SoapVersion } from '../../soap/wire/version.js';
import { xmlDeclaration } from '../../xml/writer.js';
import { type Html, markup } from './layout.js';

/** From this depth on a record is shown nil, as the pages of .asmx services do. */
const deepest = 4;

const placeholder = (text: string): Html => markup`<span class="v">${text}</span>`;

const line = (depth: number, content: Html): Html => markup`${'  '.repeat(depth + 2)}${content}\n`;

const nil = (name: string, depth: number): Html => line(depth, markup`&lt;${name} xsi:nil="true" /&gt;`);

function nested(name: string, depth: number, inner: readonly Html[]): Html {
  if (inner.length === 0) return nil(name, depth);
  return markup`${line(depth, markup`&lt;${name}&gt;`)}${inner}${line(depth, markup`&lt;/${name}&gt;`)}`;
}

function element(name: string, type: Type, depth: number): Html {
  const leaf = (text: string): Html => line(depth, markup`&lt;${name}&gt;${placeholder(text)}&lt;/${name}&gt;`);
  switch (type.kind) {
    case 'scalar':
      return type.name === 'anyType' ? line(depth, markup`&lt;${name} /&gt;`) : leaf(type.name);
    case 'enumeration':
      return leaf(type.values.join(' or '));
    case 'list': {
      if (depth >= deepest) return nil(name, depth);
      const item = element(type.itemName, type.item, depth + 1);
      return nested(name, depth, [item, item]);
    }
    case 'record':
      return depth >= deepest ? nil(name, depth) : nested(name, depth, members(type.fields, depth));
  }
}

const members = (fields: Fields, depth: number): readonly Html[] =>
  fieldEntries(fields).map(([name, { type }]) => element(name, type, depth + 1));

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

/** A request with placeholders, head and body, for people to read. */
export function sampleRequest({ operation, version, namespace, host, path }: SampleText): Html {
  const { name } = operation;
  const inner = members(requestFields(operation), 0);
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
  const result = nested(`${name}Result`, 1, members(fields, 1));
  const content = markup`    &lt;${name}Response xmlns="${namespace}"&gt;\n${result}    &lt;/${name}Response&gt;\n`;
  return markup`HTTP/1.1 200 OK
Content-Type: ${contentTypeOf(version)}
Content-Length: ${placeholder('length')}

${envelope(version, content)}`;
}
