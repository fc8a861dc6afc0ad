import assert from 'node:assert/strict';
import fc from 'fast-check';
import { opt, record } from '../../../src/contract/build.js';
import { decimal, guid, long, string } from '../../../src/contract/scalars.js';
import { allColumns } from '../../../src/formats/columns.js';
import {
  isErrorWord,
  protectText,
  lengthBeforeCut,
  mayReadAsValue,
  textAfterQuote,
  textOfFormula,
  columnLetters,
} from '../../../src/core/text/spreadsheet.js';
import { formats } from '../../../src/formats/writers/index.js';
import type { Writer } from '../../../src/formats/writers/format.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { shownByLibreOffice } from '../../support/output/other-programs.js';
import { needs } from '../../support/skip.js';
import { argv } from '../../support/argv.js';

const taken = [
  ...argv`007 1E5 1.5e-3 12345678901234567890 "+31 6 12345678" "(010) 555 01 98" =1+1 @SUM(A1) -x ＝1`,
  ...[
    ...['1-2', '3/4', '1.5', '12:30', '5%', '€ 5', '5 kr', '2 mei', 'Jan 5', '5 januari 2026', 'mars 12', 'SEPT2'],
    '5 pm',
  ],
  ...['TRUE', 'waar', '#N/A', ' 7 ', '1 1/2', '٣'],
];
const plain = [
  '',
  'plain',
  'Kerkstraat 12',
  '00000000-0000-4000-8000-000000000101',
  'two words',
  'vrijdag 5',
  'x@y.example',
];

describe('A text that Excel would read otherwise', () => {
  for (const text of taken) it(`is '${text}'`, () => assert.ok(mayReadAsValue(text)));
  for (const text of plain) it(`is not '${text}'`, () => assert.ok(!mayReadAsValue(text)));

  it('is a formula that gives it', () => {
    assert.equal(protectText('007'), '="007"');
    assert.equal(protectText('5"'), '="5"""');
    assert.equal(protectText('1'.repeat(300)), `="${'1'.repeat(255)}"&"${'1'.repeat(45)}"`);
    assert.equal(protectText('=1\n2'), "'=1\n2");
    assert.equal(protectText('1'.repeat(9000)), `'${'1'.repeat(9000)}`);
  });

  it('comes back from the texts of the formula, none of which is too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const formula = protectText(text);
        if (formula.startsWith("'")) {
          assert.equal(formula.slice(1), text);
          return;
        }
        const pieces = formula.slice(1).match(/"(?:[^"]|"")*"/g) ?? [];
        assert.equal(pieces.map((piece) => piece.slice(1, -1).replaceAll('""', '"')).join(''), text);
        assert.ok(pieces.every((piece) => piece.slice(1, -1).replaceAll('""', '"').length <= 255));
      }),
    );
  });
});

const Sample = record('Sample', 'A sample.', {
  Id: opt(guid, 'Id.'),
  Name: opt(string, 'Name.'),
  Price: opt(decimal, 'Price.'),
  Big: opt(long, 'Big.'),
});

function csv(records: readonly RecordValue[]): string {
  const lines = {
    delimiter: ';',
    lineEnding: 'crlf',
    hasMark: true,
    hasDecimalComma: true,
    hasKeptTexts: true,
  } as const;
  const usual = { isChosen: false, shape: 'list', hasHeader: true, width: undefined, hasColor: false } as const;
  const writer = formats.csv.open({ ...usual, columns: allColumns(Sample), lines }) as Writer;
  const rows = writer.records(records);
  assert.equal(rows, records.map((each) => writer.row?.(each)).join(''));
  return writer.begin() + rows + writer.end();
}

describe('CSV for Excel', () => {
  it('has decimals with commas, and long numbers as texts with their point', () => {
    const rows = csv([
      { Id: 'a', Name: '007', Price: '12.50', Big: '123456789012345' },
      { Id: 'b', Name: 'plain', Price: '1234567890123456.5', Big: '-1234567890123456' },
    ]);
    assert.equal(
      rows,
      '\ufeffId;Name;Price;Big\r\na;"=""007""";12,50;123456789012345\r\nb;plain;"=""1234567890123456.5""";"=""-1234567890123456"""\r\n',
    );
  });

  it('is read back to the character by a spreadsheet', function () {
    this.timeout(120_000);
    needs(this, 'LibreOffice', 'python3');
    const names = [...taken, ...plain.slice(1), '5"', '"quoted" 5', `${'9'.repeat(300)}x`, 'semi;colon 5'];
    const records = names.map((Name) => ({ Id: 'a', Name, Price: '0.5', Big: '7' }));
    // Semicolons, quotes, UTF-8, from the first line, numbers as in the Netherlands, formulas are worked out.
    const reading = '--infilter=CSV:59,34,76,1,,1043,false,true,false,false,false,0,true';
    const [sheet] = shownByLibreOffice('a.csv', csv(records), reading);
    assert.deepEqual(
      sheet?.slice(1).map((row) => row[1]),
      names,
    );
  });
});

describe('What keeps a text from a spreadsheet', () => {
  it('is found again, and nothing else is', () => {
    for (const [cell, text] of [
      ['="007"', '007'],
      ['="5"""', '5"'],
      ['=""', ''],
      ['="a"&"b"', 'ab'],
      ['="a"" & ""b"', 'a" & "b'],
      ['="a"&1', undefined],
      ['=1+1', undefined],
      ['="a" ', undefined],
      ['x="a"', undefined],
    ] as const)
      assert.equal(textOfFormula(cell), text, cell);
    for (const [cell, text] of [
      ["'+31 6", '+31 6'],
      ["'=1+1", '=1+1'],
      ["'@x", '@x'],
      ["'-5", '-5'],
      ["'7\n8", '7\n8'],
      ["'s-Gravenhage", undefined],
      ["'t Is goed", undefined],
      ["'7", undefined],
      ["'", undefined],
      ["''", undefined],
    ] as const)
      assert.equal(textAfterQuote(cell), text, cell);
    for (const [cell, length] of [
      [`${'x'.repeat(32_700)}… (cut: 40000 characters)`, 40_000],
      ['… (cut: 32768 characters)', 32_768],
      ['… (cut: 32767 characters)', undefined],
      ['… (cut: 40000 characters) ', undefined],
      ['(cut: 40000 characters)', undefined],
    ] as const)
      assert.equal(lengthBeforeCut(cell), length, cell.slice(-30));
  });
});

describe('The error of a spreadsheet', () => {
  it('is known in the languages of Excel', () => {
    const words =
      '#N/A #REF! #VALUE! #DIV/0! #NUM! #NAME? #NULL! #SPILL! #CALC! #GETTING_DATA #N/B #VERW! #WAARDE! #DEEL/0! #GETAL! ' +
      '#NAAM? #LEEG! #OVERLOOP! #NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #VALEUR! #NOMBRE! #NOM? #NUL! #PROPAGATION! #¡REF! ' +
      '#¡VALOR! #¡DIV/0! #¿NOMBRE? #¡NULO! #N/D #RIF! #VALORE! #NOME? #NÚM! #I/T #VÆRDI! #DIVISION/0! #SAKNAS! #VÄRDEFEL! ' +
      '#OGILTIGT! #VERDI! #PUUTTUU! #ARVO! #JAKO/0! #N/D! #ADR! #ARG! #DZIEL/0! #LICZBA! #HODNOTA! #DĚLENÍ_NULOU! #ČÍSLO! ' +
      '#HIÁNYZIK #ÉRTÉK! #Н/Д #ССЫЛКА! #ДЕЛ/0! #YOK #BAŞV! #SAYI/0! #Δ/Υ #ΤΙΜΗ! Err:502 Fout:508 ##### #ERROR!';
    for (const word of words.split(' ')) assert.ok(isErrorWord(word), word);
    assert.ok(isErrorWord(' #N/A '));
    const others = argv`#1 # ## #a/b #hashtag! N/A "#N/A of 2026" "ref #REF!" #12/34 "Error: 502" #CRM #HR/IT`;
    for (const text of others) assert.ok(!isErrorWord(text), text);
  });
});

describe('mayBeTakenForValue', () => {
  it('knows an error by its sign, whatever blanks are behind it', () => {
    for (const text of ['#', '#N/A', ' #REF! ', '#a b\n ', '#  \n']) assert.ok(mayReadAsValue(text), text);
    // With a check that takes the square of the length, the second would take minutes.
    for (const text of ['#a\nx', `#${' '.repeat(1_000_000)}\nx`]) assert.ok(!mayReadAsValue(text), text.slice(0, 9));
  });
});

describe('The name of a column', () => {
  for (const [at, name] of [
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
    [16_383, 'XFD'],
  ] as const) {
    it(`is ${name} for column ${at + 1}`, () => assert.equal(columnLetters(at), name));
  }
});
