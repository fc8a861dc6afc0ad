import { lots } from '../support/cases.js';

type Draw = (below: number) => number;

const one = (draw: Draw, all: readonly string[]): string => all[draw(all.length)] ?? '';

/** Types that are values; those that are pointers may be nothing. */
const values = ['int', 'short', 'LONG64', 'double', 'float', 'bool', 'xsd__unsignedByte', 'enum t__Word'] as const;
const pointers = ['char *', 'xsd__decimal', 'xsd__date'] as const;

/** Makes the members of classes. */
interface Maker {
  readonly draw: Draw;
  /** Classes that a member may be of. */
  readonly classes: readonly string[];
  /** A name that no element has. */
  readonly newName: () => string;
}

/** A member that stands once at most, with how often it must stand and whether it may be nil. */
function single({ draw, classes, newName }: Maker): string {
  const kind = draw(3);
  if (kind === 0) return `${one(draw, pointers)} ${newName()}${one(draw, ['', ' 0', ' 1', ' nullptr'])};`;
  const type = one(draw, kind === 1 && classes.length > 0 ? classes : values);
  return draw(2) === 0
    ? `${type} ${newName()}${one(draw, ['', ' 1'])};`
    : `${type} *${newName()}${one(draw, ['', ' 0', ' 1', ' nullptr'])};`;
}

/** A member of a class: an element, several, or one of several. */
function member(maker: Maker): string {
  const { draw, classes, newName } = maker;
  const [name, kind] = [newName(), draw(8)];
  if (kind === 0) return `int __size${name}; ${one(draw, ['int', ...classes])} *${name}${one(draw, ['', ' 0', ' 1'])};`;
  if (kind === 1) return `int __union${name}; union t__${name} { ${single(maker)} ${single(maker)} } ${name};`;
  return single(maker);
}

const members = (maker: Maker): string => Array.from({ length: 1 + maker.draw(5) }, () => member(maker)).join('\n  ');

const words = [
  ...['name: some', 'style: document', 'encoding: literal', 'namespace: http://some.example/'],
  'location: http://127.0.0.1/some',
];

const types = [
  ...['typedef char *xsd__decimal;', 'typedef char *xsd__date;', 'typedef unsigned char xsd__unsignedByte;'],
  'enum t__Word { hard, soft };',
];

/** Classes, of which each may have those before it, or add to one of them; the last is the answer. */
function classesOf(draw: Draw, newName: () => string): readonly string[] {
  const classes: string[] = [];
  const declared: string[] = [];
  for (const name of ['t__R0', 't__R1', 't__R2', 't__R3', 't__AskResponse']) {
    const isAdding = classes.length > 0 && name !== 't__AskResponse' && draw(3) === 0;
    const base = isAdding ? ` : public ${one(draw, classes)}` : '';
    declared.push(`class ${name}${base} {\n public:\n  ${members({ draw, classes, newName })}\n};`);
    classes.push(name);
  }
  return declared;
}

/** A header of soapcpp2 for an operation, Ask, of the service `some`, whose types are drawn by lot. */
export function someHeader(seed: number): string {
  const draw = lots(seed);
  let count = 0;
  const newName = (): string => `e${(count += 1)}`;
  const parameter = (): string => single({ draw, classes: ['t__R0', 't__R1', 't__R2', 't__R3'], newName });
  const declared = classesOf(draw, newName);
  // A parameter stands as often as its type says.
  const asked = Array.from({ length: 1 + draw(4) }, parameter).map((each) => each.replace(/( [01]| nullptr)?;$/, ''));
  return [
    ...words.map((word) => `//gsoap t service ${word}`),
    '//gsoap t schema namespace: http://some.example/',
    `//gsoap t schema form: ${one(draw, ['qualified', 'unqualified'])}`,
    ...types,
    ...declared,
    `int t__Ask(${asked.join(', ')}, t__AskResponse *answer);`,
    '',
  ].join('\n');
}
