import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadingOf } from '../../src/profiles/descriptions/load.js';
import type { DescribedField, DescribedType, Description } from '../../src/wsdl/reading/described.js';
import { readDocuments } from '../../src/wsdl/reading/documents.js';
import { ImportedOperations } from '../../src/wsdl/reading/imported.js';
import { describe as describeDocuments } from '../../src/wsdl/reading/operations.js';
import { home, type Home } from '../support/relctl.js';
import { needs, python } from '../support/skip.js';

const folder = fileURLToPath(new URL('foreign/', import.meta.url));
const axis = join(folder, 'axis');
const files = (readdirSync(axis, { recursive: true }) as string[]).filter((file) => file.endsWith('.wsdl')).sort();

async function described(file: string): Promise<Description> {
  const get = (url: string): Promise<Buffer> => Promise.reject(new Error(`asked for ${url}`));
  const load = loadingOf({ get, allowed: [axis] });
  return describeDocuments(await readDocuments(file, load));
}

/** What a description says, a line for each operation with its whole types, and for what is not read. */
function linesOf({ operations, types, unread }: Description): readonly string[] {
  const typeOf = (type: DescribedType, within: readonly number[]): string => {
    switch (type.kind) {
      case 'scalar':
        return type.as ?? type.name;
      case 'enumeration':
        return `(${type.values.join('|')})`;
      case 'list':
        return `[${type.itemName} ${typeOf(type.item, within)}]`;
      case 'record':
        return `{${fieldsOf(type.fields, within)}}`;
      case 'ref':
        return within.includes(type.at) ? 'itself' : typeOf(types[type.at] ?? assert.fail(), [...within, type.at]);
    }
  };
  const fieldsOf = (fields: readonly DescribedField[], within: readonly number[]): string =>
    fields
      .map(({ name, type, presence, nillable, repeats, namespace }) => {
        const more = [presence, nillable === true ? 'nillable' : '', repeats === true ? 'repeats' : ''];
        const place = namespace === undefined ? '' : `in '${namespace}'`;
        return [name, typeOf(type, within), ...more, place].filter((word) => word !== '').join(' ');
      })
      .join(', ');
  return [
    ...operations.map(
      ({ name, parameters, result, resultName }) =>
        `${name}(${fieldsOf(parameters, [])}) = ${resultName === undefined ? '' : `${resultName} `}${fieldsOf(result, [])}`,
    ),
    ...unread.map(({ place, what }) => `not read: ${place}: ${what}`),
  ];
}

describe('WSDLs that others wrote', () => {
  it('are at least twelve, and are read as they were', async () => {
    const found: string[] = [];
    for (const file of files)
      found.push([`== ${file}`, ...linesOf(await described(join(axis, file)))].join('\n').replaceAll('\\', '/'));
    const text = `${found.join('\n')}\n`;
    const kept = join(folder, 'read.txt');
    if (process.env['FOREIGN_WRITE'] !== undefined) writeFileSync(kept, text);
    assert.ok(files.length >= 12);
    assert.equal(text, readFileSync(kept, 'utf8'));
  });

  for (const file of files) {
    it(`make operations of the contract's kind: ${basename(file)}`, async () => {
      const description = await described(join(axis, file));
      const imported = new ImportedOperations(description, () => 'add');
      assert.deepEqual(
        imported.names.map((name) => imported.find(name)?.name),
        description.operations.map(({ name }) => name),
      );
      assert.ok(description.operations.length + description.unread.length > 0);
    });
  }
});

describe('WSDLs that SOAP stacks make', () => {
  let here: Home;
  before(() => {
    here = home();
  });
  after(() => here.remove());

  /** Runs a program that writes a WSDL, and reads that. */
  async function madeBy(program: string, args: readonly string[], output?: string): Promise<readonly string[]> {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: here.folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const file = join(here.folder, output ?? 'made.wsdl');
    if (output === undefined) writeFileSync(file, stdout);
    return linesOf(await described(file));
  }

  it('soapcpp2 of gSOAP', async function () {
    needs(this, 'gSOAP');
    copyFileSync(join(folder, 'library.h'), join(here.folder, 'library.h'));
    assert.deepEqual(await madeBy('soapcpp2', ['-S', '-x', 'library.h'], 'library.wsdl'), [
      'BooksGet(pageNumber int req, pageSize int req) = Book {Title string req, Price double opt, Binding (hard|soft) opt, Pages long req} opt repeats',
    ]);
  });

  it('spyne', async function () {
    needs(this, 'python3 with spyne');
    assert.deepEqual(await madeBy(python('spyne'), [join(folder, 'library.py')]), [
      'BooksGet(pageNumber integer nil, pageSize integer opt nillable) = BooksGetResult [Book {Title string req, Price decimal opt nillable, Published date opt nillable, Binding (hard|soft) opt nillable, Author string opt nillable repeats}] opt nillable',
    ]);
  });
});
