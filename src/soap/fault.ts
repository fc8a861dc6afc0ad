import { escapeReceivedText } from '../xml/writer.js';
import { childOf, textWithin, type RawElement } from './raw.js';
import { soapVersions, type FaultSide, type SoapVersion } from './version.js';

/** A fault, whatever the version that it came in. */
export interface Fault {
  /** `Client`, `Server`, … as SOAP 1.1 spells them, with subcodes behind dots: `Client.InvalidCredentials`. */
  readonly code: string;
  readonly message: string;
  readonly actor?: string;
  /** Text of the detail element. */
  readonly detail?: string;
}

const local = (qname: string): string => qname.trim().slice(qname.trim().indexOf(':') + 1);

/** The code in the words of SOAP 1.1. */
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

function optional(name: 'actor' | 'detail', element: RawElement | undefined): Partial<Fault> {
  const text = element === undefined ? '' : textWithin(element);
  return text === '' ? {} : { [name]: text };
}

function readFault12(element: RawElement): Fault {
  const code = childOf(element, 'Code');
  const first = commonCode(local(childOf(code, 'Value')?.text ?? ''), '1.2');
  const texts = childOf(element, 'Reason')?.children.filter((child) => child.name.local === 'Text') ?? [];
  return {
    code: [first, ...subcodes(code)].join('.'),
    message: texts[0]?.text.trim() ?? '',
    ...optional('actor', childOf(element, 'Node') ?? childOf(element, 'Role')),
    ...optional('detail', childOf(element, 'Detail')),
  };
}

/** A fault out of its element, in the form of either version. */
export function readFault(element: RawElement): Fault {
  if (childOf(element, 'Code') !== undefined) return readFault12(element);
  const [first = '', ...rest] = local(childOf(element, 'faultcode')?.text ?? '').split('.');
  return {
    code: [commonCode(first, '1.1'), ...rest].join('.'),
    message: childOf(element, 'faultstring')?.text.trim() ?? '',
    ...optional('actor', childOf(element, 'faultactor')),
    ...optional('detail', childOf(element, 'detail')),
  };
}

/** A fault for writing. */
export interface FaultContent {
  readonly code: FaultSide;
  /** A finer code behind it. */
  readonly subcode?: string;
  readonly message: string;
  readonly detail?: string;
}

function element(name: string, text: string | undefined): string {
  return text === undefined || text === '' ? `<${name} />` : `<${name}>${escapeReceivedText(text)}</${name}>`;
}

/** The Fault element in the form of a version, as .NET services write it. */
export function faultElement(version: SoapVersion, { code, subcode, message, detail }: FaultContent): string {
  const spelled = soapVersions[version].faultCodes[code];
  if (version === '1.1') {
    const full = subcode === undefined ? spelled : `${spelled}.${subcode}`;
    return `<soap:Fault><faultcode>soap:${full}</faultcode>${element('faultstring', message)}${element('detail', detail)}</soap:Fault>`;
  }
  const finer =
    subcode === undefined ? '' : `<soap:Subcode><soap:Value>${escapeReceivedText(subcode)}</soap:Value></soap:Subcode>`;
  const reason = `<soap:Reason><soap:Text xml:lang="en">${escapeReceivedText(message)}</soap:Text></soap:Reason>`;
  return `<soap:Fault><soap:Code><soap:Value>soap:${spelled}</soap:Value>${finer}</soap:Code>${reason}${element('soap:Detail', detail)}</soap:Fault>`;
}
