import fc from 'fast-check';
import { changeOf, encoded, type Change } from './damage.js';

const small = [
  ...['<', '>', '&', '"', "'", '/', '=', '!', '-', ']', ';', '#', ':', ' ', '\t', '\n', '\r', '\r\n', '\0', 'x'],
  ...['</', '/>', '<?', '?>', '<!', '<!-', '--', ']]', '\u00a0', '\u0085', '\u2028', '\ufeff', '\ufffe', '\u{1f600}'],
];
const markup = [
  ...[']]>', '<![CDATA[', '<![CDATA[<]]>', '<!--', '-->', '<!-- -->', '<?x ?>', '<?xml version="1.0"?>', '<a/>'],
  ...['<!DOCTYPE a>', '<!DOCTYPE a [<!ENTITY b "c">]>', '<!ENTITY b SYSTEM "file:///etc/passwd">', '<__proto__/>'],
  ...['<?xml version="1.1"?>', '<?xml version="1.0" encoding="utf-16"?>', '<?xml version="1.0" encoding="latin1"?>'],
];
const references = [
  ...['&#0;', '&#x1F;', '&#10;', '&#xD;', '&#x20AC;', '&#xD800;', '&#x10FFFF;', '&#x110000;', '&#99999999999;'],
  ...['&amp;', '&lt;', '&quot;', '&b;', '&amp', '&#;', '&#x;', '&#0000000000065;', '&amp;amp;'],
];
const attributes = [
  ...[' a="1"', " a='1'", ' a=1', ' a', ' a="<"', ' a=">"', ' a="&lt;"', ' xml:space="preserve"', ' xmlns=""'],
  ...[
    ' xmlns="urn:x"',
    ' xmlns:soap="urn:x"',
    ' xmlns:xsi=""',
    ' xmlns:xml="urn:x"',
    ' xsi:nil="true"',
    ' xsi:nil="1"',
  ],
  ...[' xsi:nil="false"', ' xsi:nil="TRUE"', ' xsi:type="xsd:int"', ' xsi:type="x:y"', ' xsi:type=""', ' p:a="1"'],
];
const values = [
  '-1',
  '99999999999999999999',
  '1e309',
  'NaN',
  'true',
  '0001-01-01T00:00:00',
  "' OR 1=1 --",
  '__proto__',
];

/** Long ones, on which what is quadratic or bounded shows. */
const long = [
  ...['<a>'.repeat(70), '</a>'.repeat(70), 'x'.repeat(5000), '&amp;'.repeat(2000), '<a/>'.repeat(300)],
  ...[
    ` ${'b'.repeat(300)}="1"`,
    ` a="${'x'.repeat(3000)}"`,
    Array.from({ length: 70 }, (_, at) => ` a${at}=""`).join(''),
  ],
  ...[`<!--${' '.repeat(3000)}-->`, ' '.repeat(3000), '\n'.repeat(3000)],
];

/** Pieces on which readers of XML stumble. */
const xmlPieces: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...small) },
  { weight: 3, arbitrary: fc.constantFrom(...markup) },
  { weight: 2, arbitrary: fc.constantFrom(...references) },
  { weight: 3, arbitrary: fc.constantFrom(...attributes) },
  { weight: 1, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.constantFrom(...long) },
);

/** What may happen to the bytes of a document. */
export const xmlChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 15, arbitrary: changeOf(xmlPieces) },
  { weight: 1, arbitrary: encoded },
);
