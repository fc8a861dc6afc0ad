import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SecretFilter, createMask, hideInQuotes } from '../../../src/core/secrets/mask.js';
import { formsMade, formsOfGuidsMade } from '../../support/secrets/forms-made.js';
import { escapeAttribute, escapeText } from '../../../src/xml/escape.js';

const key = '6f9619ff-8b86-d011-b42d-00c04fc964ff';
const password = 'p<a>s&s "w/o\'rd"+é';
const mask = createMask([key, password]);

describe('a mask', () => {
  for (const [form, text] of [
    ['as it is', password],
    ['in capitals', key.toUpperCase()],
    ['in XML text', escapeText(password)],
    ['in an XML attribute', escapeAttribute(password)],
    ['in JSON', JSON.stringify(password).slice(1, -1)],
    ['in JSON of ASCII alone', 'p<a>s&s \\"w/o\'rd\\"+\\u00e9'],
    ['in JSON as .NET writes it', 'p\\u003Ca\\u003Es\\u0026s \\u0022w/o\\u0027rd\\u0022\\u002B\\u00E9'],
    ['in a page as .NET writes it', 'p&lt;a&gt;s&amp;s &quot;w/o&#39;rd&quot;+&#233;'],
    ['in a page with numbers in hexadecimal', 'p&lt;a&gt;s&amp;s &quot;w/o&#39;rd&quot;+&#xE9;'],
    ['in a page with numbers, within XML', Array.from(key, (each) => `&amp;#${each.charCodeAt(0)};`).join('')],
    ['in a page, within XML', 'p&amp;lt;a&amp;gt;s&amp;amp;s &amp;quot;w/o&amp;#39;rd&amp;quot;+&amp;#233;'],
    ['in JSON within JSON, within XML', 'p&lt;a&gt;s&amp;s \\\\\\"w/o\'rd\\\\\\"+é'],
    ['in a URL', encodeURIComponent(password)],
    ['in a form', new URLSearchParams({ p: password }).toString().slice(2)],
    ['in XML within JSON', JSON.stringify(escapeText(password)).slice(1, -1)],
    ['in XML within base64', Buffer.from(escapeText(password)).toString('base64')],
    ['in base64', Buffer.from(password).toString('base64')],
    ['in hexadecimal', Buffer.from(password).toString('hex')],
  ] as const)
    it(`hides a secret ${form}`, () => {
      const masked = mask(`before ${text} behind`);
      assert.ok(!masked.includes(text), masked);
      assert.match(masked, /^before .*\*{8}.* behind$/);
    });

  it('hides a GUID as services write it again, however it was typed', () => {
    const typed = createMask(['C0FFEE12-3456-4789-abcd-ef0123456789']);
    const written = 'c0ffee12-3456-4789-abcd-ef0123456789';
    const packed = Buffer.from(written).toString('base64');
    for (const text of [written, encodeURIComponent(`{${written}}`), packed, 'C0FFEE1234564789abcdef0123456789'])
      assert.match(typed(text), /^(?:%7B)?\*{8}(?:%7D)?$/);
  });

  it('hides what a message makes of characters that one cannot see, in a secret that was read by a wrong table', () => {
    assert.equal(createMask(['Größe 17'])("'GrÃ¶Ã\\u009Fe 17'"), "'********'");
  });

  it('hides every place', () => {
    assert.equal(mask(`${key},${key};${password}`), '********,********;********');
  });

  it('hides a secret within base64 of anything, such as a Basic header', () => {
    const secret = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 20 });
    fc.assert(
      fc.property(secret, fc.string({ maxLength: 7 }), fc.string({ maxLength: 7 }), (hidden, before, behind) => {
        const header = Buffer.from(`${before}${hidden}${behind}`).toString('base64');
        const masked = createMask([hidden])(header);
        assert.ok(masked.includes('********'), header);
        // What is left holds at most the letters at both ends, which share their bits with the neighbours.
        for (const rest of masked.split('********'))
          assert.ok(!Buffer.from(rest, 'base64').toString().includes(hidden.slice(2, -2)));
      }),
    );
  });

  it('leaves text without a secret alone', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('wxyz'));
        assert.equal(createMask(['wxyzwxyzwxyz'])(text), text);
      }),
    );
    assert.equal(createMask([])('text'), 'text');
  });

  it('does not look for what is too short to be told from other text', () => {
    assert.equal(createMask(['abc', ''])('abc'), 'abc');
  });

  it('hides the whole of a secret that holds another one', () => {
    assert.equal(createMask(['hunter', 'hunter2000'])('hunter2000 hunter'), '******** ********');
  });

  it('takes any text for a secret, also one that no URL can hold', () => {
    assert.equal(createMask(['pass\ud800word'])('x pass\ud800word y'), 'x ******** y');
    assert.equal(createMask(['$&$1$$'])('a$&$1$$b'), 'a********b');
    assert.equal(createMask(['.*.*'])('anything .*.*'), 'anything ********');
  });
});

describe('a mask, of texts that were cut', () => {
  const head = 'HTTP 500 without SOAP: ';

  it('shows no four characters of a secret, in any form, wherever a text is cut', function () {
    const words = fc
      .string({ unit: 'grapheme', minLength: 8, maxLength: 24 })
      .filter((text) => !/[\s*…]|\\u/.test(text) && new Set(text).size > 4)
      // The escape of a digit ends with it: \u0030 with 0. Its beginning says nothing where all else is hidden.
      .filter((text) => !/^\d[^\0-\x7f]+$/.test(text));
    const secrets = fc.oneof(
      fc.uuid().map((secret) => ({ secret, made: { ...formsMade, ...formsOfGuidsMade } })),
      words.map((secret) => ({ secret, made: formsMade })),
    );
    let cases = 0;
    fc.assert(
      fc.property(secrets, ({ secret, made: all }) => {
        const mask = createMask([secret]);
        for (const [name, make] of Object.entries(all)) {
          const form = make(secret);
          if (form.length < 8) continue;
          const text = `${head}'${form}' came`;
          assert.ok(!mask(text).includes(form), `${name}: ${mask(text)}`);
          // What is shown of the form is told by what the mask left behind the head.
          for (let at = 1; at < form.length; at += 1) {
            const [before, behind] = [`${head}${form.slice(0, at)}…`, `…${form.slice(at)} came`];
            const shown = [mask(before).slice(head.length), mask(behind).replace(' came', '')];
            for (const each of shown)
              assert.ok(each.replace('…', '').replace('********', '').length < 4, `${name} at ${at}: ${each}`);
            cases += 2;
          }
        }
      }),
      { numRuns: 30 },
    );
    assert.ok(cases > 10_000, String(cases));
  });

  it('leaves words beside a cut alone', () => {
    assert.equal(mask('the title is so long that it was…'), 'the title is so long that it was…');
    assert.equal(mask('…as it was before…'), '…as it was before…');
  });
});

describe('a mask, of what is quoted of a document', () => {
  const secret = 'first part&second part third';
  for (const [what, text, shown] of [
    ['the end', "'part third' is no attribute", "'********' is no attribute"],
    ['the beginning', "'a first pa' is no name", "'a ********' is no name"],
    ['a part from within', "bare & before 'second par'", "bare & before '********'"],
    ['the whole', `'${secret}' is no markup`, "'********' is no markup"],
    ['nothing', "'fourth' is no attribute", "'fourth' is no attribute"],
  ] as const)
    it(`hides ${what} of a secret`, () => {
      assert.equal(hideInQuotes(createMask([secret]), text), shown);
    });

  for (const [part, text, shown] of [
    ['a reference', 'the reference &second; stands for nothing', 'the reference &********; stands for nothing'],
    ['a tag', 'the document ends within <third>', 'the document ends within <********>'],
    ['two tags', '</fourth> where </third> was expected', '</********> where </********> was expected'],
    ['other tags', "</body> where </html> was expected, and '…'", "</body> where </html> was expected, and '…'"],
  ] as const)
    it(`hides what of a secret became ${part}`, () => {
      assert.equal(hideInQuotes(createMask(['first&second;<third>and</fourth>']), text), shown);
    });
});

describe('The secrets of a run', () => {
  it('are hidden from when they are known', () => {
    const secrets = new SecretFilter();
    assert.equal(secrets.hide(`a ${key}`), `a ${key}`);
    secrets.add([key]);
    assert.equal(secrets.hide(`a ${key}`), 'a ********');
    secrets.add([password]);
    assert.equal(secrets.hide(`a ${password} ${key}`), 'a ******** ********');
  });
});
