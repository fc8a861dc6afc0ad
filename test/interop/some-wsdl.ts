import { lots } from '../support/cases.js';

type Draw = (below: number) => number;

const simple = ['string', 'int', 'long', 'decimal', 'boolean', 'dateTime', 'date', 'double', 'unsignedByte', 'anyURI'];

const one = <T>(draw: Draw, all: readonly [T, ...T[]]): T => all[draw(all.length)] ?? all[0];

const some = (draw: Draw, make: () => string): string => Array.from({ length: 1 + draw(4) }, make).join('');

/** How often an element or a group may stand. */
function occurs(draw: Draw, isOnce: boolean): string {
  const once = ['', '', ' minOccurs="0"'] as const;
  const several = [' minOccurs="0" maxOccurs="unbounded"', ' maxOccurs="3"'] as const;
  return one(draw, isOnce ? once : [...once, ...several]);
}

/** Makes the particles of types. */
interface Maker {
  readonly draw: Draw;
  /** Types that an element may have besides those of XML Schema. */
  readonly types: readonly [string, ...string[]];
  /** A name that no element has. */
  readonly newName: () => string;
}

/** An element; within \`all\`, or within a group that comes again, it stands once at most. */
function element(maker: Maker, depth: number, isOnce = false): string {
  const { draw, types, newName } = maker;
  const kind = draw(12);
  const more = `${occurs(draw, isOnce)}${draw(4) === 0 ? ' nillable="true"' : ''}`;
  const start = `<x:element name="${newName()}"${more}`;
  if (kind === 0 && depth < 3) return `${start}><x:complexType>${group(maker, depth + 1)}</x:complexType></x:element>`;
  if (kind === 1)
    return `${start}><x:simpleType><x:restriction base="x:${one(draw, ['int', 'string', 'date'])}"/></x:simpleType></x:element>`;
  return `${start} type="${kind < 5 ? `t:${one(draw, types)}` : `x:${simple[draw(simple.length)] ?? 'int'}`}"/>`;
}

/** A group that stands within another one. */
function inner(maker: Maker, depth: number): string {
  const { draw } = maker;
  if (draw(4) === 0) return '<x:group ref="t:Common"/>'.replace('Common', `Common${depth}`);
  const word = one(draw, ['choice', 'sequence']);
  return `<x:${word}${occurs(draw, true)}>${some(draw, () => element(maker, depth))}</x:${word}>`;
}

/** The group of a type. */
function group(maker: Maker, depth: number): string {
  const { draw } = maker;
  if (draw(6) === 0) return `<x:all>${some(draw, () => element(maker, depth, true))}</x:all>`;
  const word = one(draw, ['sequence', 'sequence', 'choice']);
  return `<x:${word}>${some(draw, () => (draw(5) === 0 ? inner(maker, depth) : element(maker, depth)))}</x:${word}>`;
}

/** A type: of its own, or one that adds to another. */
function complexType(maker: Maker, name: string, base: string | undefined): string {
  const own = `<x:sequence>${some(maker.draw, () => element(maker, 1))}</x:sequence>`;
  if (base === undefined) return `<x:complexType name="${name}">${group(maker, 1)}</x:complexType>`;
  const extension = `<x:extension base="t:${base}">${own}</x:extension>`;
  return `<x:complexType name="${name}"><x:complexContent>${extension}</x:complexContent></x:complexType>`;
}

const named = ['R0', 'R1', 'R2', 'R3'] as const;

const enumeration =
  '<x:simpleType name="Word"><x:restriction base="x:string"><x:enumeration value="a"/><x:enumeration value="b"/></x:restriction></x:simpleType>' +
  '<x:simpleType name="Short"><x:restriction base="x:int"><x:maxInclusive value="9"/></x:restriction></x:simpleType>';

/** The types of a schema, which are used in each other. */
function schemaOf(draw: Draw): string {
  let count = 0;
  const maker: Maker = { draw, types: [...named, 'Word', 'Short'], newName: () => `e${(count += 1)}` };
  // Of a type that adds to another one and holds itself zeep drops elements: these, and groups, hold no types of this kind.
  const plain: Maker = { ...maker, types: ['Word', 'Short'] };
  const types = named.map((name, at) => {
    // One that adds to another is no \`all\`, and neither is that one.
    const base = at > 0 && draw(3) === 0 ? 'Base' : undefined;
    return complexType(base === undefined ? maker : plain, name, base);
  });
  const operation = (name: string, of: string): string =>
    `<x:element name="${name}"><x:complexType><x:sequence>${of}</x:sequence></x:complexType></x:element>`;
  return [
    enumeration,
    `<x:complexType name="Base"><x:sequence>${some(draw, () => element(plain, 1))}</x:sequence></x:complexType>`,
    // A type may hold a group once: its names would come twice.
    ...[0, 1, 2, 3, 4].map(
      (at) => `<x:group name="Common${at}"><x:sequence>${some(draw, () => element(plain, 3))}</x:sequence></x:group>`,
    ),
    ...types,
    operation(
      'Ask',
      some(draw, () => element(maker, 1)),
    ),
    operation('AskResponse', draw(2) === 0 ? element(maker, 1) : some(draw, () => element(maker, 1))),
  ].join('\n');
}

/** A WSDL with one operation, Ask, whose types are drawn by lot. */
export function someWsdl(seed: number): string {
  const draw = lots(seed);
  const form = draw(2) === 0 ? ' elementFormDefault="qualified"' : '';
  const message = (name: string): string =>
    `<w:message name="${name}"><w:part name="parameters" element="t:${name}"/></w:message>`;
  return `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/"
 xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:some" targetNamespace="urn:some">
<w:types><x:schema targetNamespace="urn:some"${form}>
${schemaOf(draw)}
</x:schema></w:types>
${message('Ask')}${message('AskResponse')}
<w:portType name="P"><w:operation name="Ask"><w:input message="t:Ask"/><w:output message="t:AskResponse"/></w:operation></w:portType>
<w:binding name="B" type="t:P"><s:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
<w:operation name="Ask"><s:operation soapAction=""/><w:input><s:body use="literal"/></w:input><w:output><s:body use="literal"/></w:output></w:operation></w:binding>
<w:service name="S"><w:port name="P" binding="t:B"><s:address location="http://127.0.0.1/"/></w:port></w:service>
</w:definitions>
`;
}
