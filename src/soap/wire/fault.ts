import { defined, type Value } from '../../core/values/value.js';
import { escapeAttribute, escapeReceivedText } from '../../xml/escape.js';
import { childOf, treeOf, type RawElement } from './raw.js';
import { assumedVersion, soapVersions, versions, type FaultSide, type SoapVersion } from './version.js';

/** A fault of either version. */
export interface Fault {
  /**
   * `Client`, `Server`, … as SOAP 1.1 spells them, with the subcodes of 1.2 behind dots: `Client.InvalidCredentials`. A
   * code of the service's own in 1.1 stands alone: `InvalidCredentials`. Always without prefixes.
   */
  readonly code: string;
  readonly message: string;
  readonly actor?: string;
  /** The content of the detail element, see treeOf. */
  readonly detail?: Value;
}

type Mask = (text: string) => string;
type FaultReader = (element: RawElement, mask: Mask) => Fault;

const local = (qname: string): string => qname.trim().slice(qname.trim().indexOf(':') + 1);

function commonCode(code: string, version: SoapVersion): string {
  const sides = Object.entries(soapVersions[version].faultCodes);
  return sides.find(([, spelled]) => spelled === code)?.[0] ?? code;
}

function subcodes(code: RawElement | undefined): string[] {
  const subcode = childOf(code, 'Subcode');
  if (subcode === undefined) return [];
  const value = childOf(subcode, 'Value');
  return [...(value === undefined ? [] : [local(value.text)]), ...subcodes(subcode)];
}

function actorOf(element: RawElement | undefined): Partial<Fault> {
  const text = element?.text.trim() ?? '';
  return text === '' ? {} : { actor: text };
}

/** In SOAP 1.2 .NET writes `detail` as in 1.1, in no namespace, also beside an empty `Detail` of SOAP's. */
function detailOf(fault: RawElement, mask: Mask): Partial<Fault> {
  const elements = fault.children.filter(({ name }) => name.local.toLowerCase() === 'detail');
  const [first, ...more] = elements.map((element) => treeOf(element, mask)).filter((tree) => tree !== '');
  if (first === undefined) return {};
  return { detail: more.length === 0 ? first : [first, ...more] };
}

const read12: FaultReader = (element, mask) => {
  const code = childOf(element, 'Code');
  const first = commonCode(local(childOf(code, 'Value')?.text ?? ''), '1.2');
  const texts = childOf(element, 'Reason')?.children.filter((child) => child.name.local === 'Text') ?? [];
  return {
    code: [first, ...subcodes(code)].join('.'),
    message: texts[0]?.text.trim() ?? '',
    ...actorOf(childOf(element, 'Node') ?? childOf(element, 'Role')),
    ...detailOf(element, mask),
  };
};

const read11: FaultReader = (element, mask) => {
  const [first = '', ...rest] = local(childOf(element, 'faultcode')?.text ?? '').split('.');
  return {
    code: [commonCode(first, '1.1'), ...rest].join('.'),
    message: childOf(element, 'faultstring')?.text.trim() ?? '',
    ...actorOf(childOf(element, 'faultactor')),
    ...detailOf(element, mask),
  };
};

/** A code of the service's own: a name (of XML, without a colon) in a namespace of its own. */
export interface FaultSubcode {
  readonly name: string;
  readonly namespace: string;
}

/** A fault for writing. */
export interface FaultContent {
  readonly code: FaultSide;
  /** A finer code: behind the code in SOAP 1.2, in its place in 1.1. */
  readonly subcode?: FaultSubcode;
  readonly message: string;
  readonly detail?: string;
}

function element(name: string, text: string | undefined): string {
  return text === undefined || text === '' ? `<${name} />` : `<${name}>${escapeReceivedText(text)}</${name}>`;
}

/** A code of the service's own, not in the namespace of the envelope, which would make it one of SOAP. */
const ownCode = (element: string, { name, namespace }: FaultSubcode): string =>
  `<${element} xmlns:q0="${escapeAttribute(namespace)}">q0:${escapeReceivedText(name)}</${element}>`;

/** What the Fault element of either version is made of. */
type FaultParts = Pick<FaultContent, 'subcode' | 'message'> & {
  /** The code with its prefix. */
  readonly spelled: string;
  /** Writes the detail as an element of this name. */
  readonly details: (name: string) => string;
};

function fault11({ spelled, subcode, message, details }: FaultParts): string {
  const named = subcode === undefined ? `<faultcode>${spelled}</faultcode>` : ownCode('faultcode', subcode);
  return `<soap:Fault>${named}${element('faultstring', message)}${details('detail')}</soap:Fault>`;
}

function fault12({ spelled, subcode, message, details }: FaultParts): string {
  const finer = subcode === undefined ? '' : `<soap:Subcode>${ownCode('soap:Value', subcode)}</soap:Subcode>`;
  const reason = `<soap:Reason><soap:Text xml:lang="en">${escapeReceivedText(message)}</soap:Text></soap:Reason>`;
  return `<soap:Fault><soap:Code><soap:Value>${spelled}</soap:Value>${finer}</soap:Code>${reason}${details('soap:Detail')}</soap:Fault>`;
}

/** How a version spells a fault: the element that only its faults have, and how these are read and written. */
interface FaultForm {
  readonly mark: string;
  readonly read: FaultReader;
  readonly write: (parts: FaultParts) => string;
}

const forms: Readonly<Record<SoapVersion, FaultForm>> = {
  '1.1': { mark: 'faultcode', read: read11, write: fault11 },
  '1.2': { mark: 'Code', read: read12, write: fault12 },
};

/** Reads the element of a fault of either version; `mask` hides secrets in its detail, which is cut. */
export function readFault(element: RawElement, mask: Mask = (text) => text): Fault {
  // Some services write the elements of one version into the envelope of the other. Without a code it is read as one of 1.1.
  const version = versions.findLast((each) => childOf(element, forms[each].mark) !== undefined) ?? assumedVersion;
  return forms[version].read(element, mask);
}

/**
 * The Fault element in the form of a version, as .NET services write it. SOAP 1.1 has no subcodes, and WS-I Basic Profile
 * (R1031) no codes with dots: there a finer code stands in the place of the code.
 */
export function faultElement(version: SoapVersion, { code, subcode, message, detail }: FaultContent): string {
  // A fault about a header has no detail, because that would be about the body.
  const details = (name: string): string =>
    code === 'MustUnderstand' && (detail ?? '') === '' ? '' : element(name, detail);
  const spelled = `soap:${soapVersions[version].faultCodes[code] ?? code}`;
  return forms[version].write({ spelled, details, message, ...defined({ subcode }) });
}
