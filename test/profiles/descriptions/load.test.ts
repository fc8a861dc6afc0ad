import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadingOf } from '../../../src/profiles/descriptions/load.js';
import { home } from '../../support/relctl.js';

describe('A document of a description', () => {
  const here = home();
  after(() => here.remove());

  const text = '<?xml version="1.0" encoding="ENCODING"?><a>é€</a>';

  /** What is read of a file with these bytes. */
  async function read(bytes: Buffer): Promise<string> {
    const file = join(here.folder, 'a.wsdl');
    writeFileSync(file, bytes);
    const load = loadingOf({ get: () => assert.fail(), allowed: [] });
    return load.textAt(load.addressOf(file, undefined));
  }

  const marked = (encoding: string): Buffer => Buffer.from(`\ufeff${text.replace('ENCODING', encoding)}`, 'utf16le');

  for (const [what, bytes, encoding] of [
    ['UTF-8', Buffer.from(text.replace('ENCODING', 'UTF-8')), 'UTF-8'],
    ['UTF-16 with its low bytes first', marked('UTF-16'), 'UTF-16'],
    ['UTF-16 with its high bytes first', marked('utf-16').swap16(), 'utf-16'],
    ['UTF-16 that says it is UTF-8', marked('utf-8'), 'utf-8'],
  ] as const)
    it(`is read in ${what}`, async () => assert.equal(await read(bytes), text.replace('ENCODING', encoding)));

  it('is read in the encoding that it names', async () => {
    const latin = Buffer.from('<?xml version="1.0" encoding="windows-1252"?><a>\xe9\x80</a>', 'latin1');
    assert.equal(await read(latin), '<?xml version="1.0" encoding="windows-1252"?><a>é€</a>');
  });

  it('is refused where it is not text in that', async () => {
    await assert.rejects(read(Buffer.from('<a>\xe9</a>', 'latin1')), /a\.wsdl: the byte at offset 3 is not utf-8/);
    const klingon = Buffer.from('<?xml version="1.0" encoding="klingon"?>');
    await assert.rejects(read(klingon), /the encoding 'klingon' is not known/);
  });

  it('comes by HTTP where another one came by it, whatever is allowed', () => {
    const load = loadingOf({ get: () => assert.fail(), allowed: ['null', '/etc'] });
    for (const location of ['file:///etc/passwd', 'ftp://crm.example/a.xsd', 'data:text/xml,<a/>'])
      assert.throws(
        () => load.addressOf(location, 'https://crm.example/service.asmx?WSDL'),
        (thrown: Error & { kind?: string; advice?: string }) =>
          thrown.kind === 'bad-answer' &&
          thrown.advice === undefined &&
          thrown.message.endsWith('is not a URL of HTTP'),
      );
  });
});
