import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadingOf } from '../../src/profiles/descriptions/load.js';
import type { Operation } from '../../src/contract/build.js';
import { operations } from '../../src/contract/service.js';
import { writeWsdl } from '../../src/wsdl/definitions.js';
import type {
  DescribedField,
  DescribedOperation,
  DescribedType,
  Description,
} from '../../src/wsdl/reading/described.js';
import { readDocuments } from '../../src/wsdl/reading/documents.js';
import { describe as describeDocuments } from '../../src/wsdl/reading/operations.js';
import { someHeader } from './some-header.js';
import { someWsdl } from './some-wsdl.js';
import { home } from '../support/relctl.js';
import { needs, python } from '../support/skip.js';

const inTests = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const axis = inTests('wsdl/foreign/axis');

/** The first of the seeds by which types are drawn, and all of them. */
const first = Number(process.env['RELCTL_WSDL_SEED'] ?? 1);
const seeds = Array.from({ length: 200 }, (_, at) => first + at);

/** As many elements within each other are compared: types may hold themselves. */
const deepest = 6;

/** What zeep reads of a WSDL: lines of each operation, as zeep-reading.py writes them; or why it reads nothing. */
type Theirs = Readonly<Record<string, readonly string[]>> | string;

/** How often an element stands: at least, several times, nil. */
const occurs = ({ presence, nillable, repeats }: DescribedField): string =>
  [presence !== 'opt', repeats === true, presence === 'nil' || nillable === true].map(Number).join('|');

/** The lines of the elements that some fields are, and of those within them. */
function linesOf(types: Description['types'], fields: readonly DescribedField[], path: string): readonly string[] {
  const whole = (type: DescribedType): DescribedType =>
    type.kind === 'ref' ? whole(types[type.at] ?? assert.fail()) : type;
  const nameOf = (type: DescribedType): string => {
    if (type.kind === 'scalar') return type.as ?? type.name;
    return type.kind === 'enumeration' ? 'word' : '{}';
  };
  const within = (given: DescribedType, at: string): readonly string[] => {
    const type = whole(given);
    if (at.split('/').length >= deepest) return [];
    if (type.kind === 'record') return linesOf(types, type.fields, at);
    if (type.kind !== 'list') return [];
    const item = `${at}/${type.itemName}`;
    return [`${item}|${nameOf(whole(type.item))}|items|${Number(type.nillable === true)}`, ...within(type.item, item)];
  };
  return fields.flatMap((field) => {
    const at = `${path}/${field.name}`;
    return [`${at}|${nameOf(whole(field.type))}|${occurs(field)}`, ...within(field.type, at)];
  });
}

async function description(file: string): Promise<Description> {
  const get = (url: string): Promise<Buffer> => Promise.reject(new Error(`asked for ${url}`));
  const load = loadingOf({ get, allowed: [file.startsWith(axis) ? axis : dirname(file)] });
  return describeDocuments(await readDocuments(file, load));
}

/**
 * What zeep reads of an operation, in terms of relctl: a GUID is a text of a form, of the items of a list it is known that there
 * are several, of values of an enumeration no type; one element that holds the whole answer is none of its members; and what is told to be unread has no
 * elements.
 */
function inOurTerms(
  theirs: readonly string[],
  ours: readonly string[],
  { wrapper, isUnread }: { readonly wrapper: string | undefined; readonly isUnread: (element: string) => boolean },
): readonly string[] {
  const known = new Map(ours.map((line) => [line.split('|')[0] ?? '', line.split('|')]));
  const untyped = [...known].filter(([path, [, type]]) => type === 'anyType' && isUnread(path.split('/').at(-1) ?? ''));
  return theirs.flatMap((line) => {
    const [path = '', type = '', least = '', several = '', nil = ''] = line.split('|');
    if (path === wrapper || untyped.some(([own]) => path.startsWith(`${own}/`))) return [];
    const own = known.get(path);
    const isForm = (own?.[1] === 'word' && type !== '{}') || (own?.[1] === 'guid' && type === 'string');
    const isAsOurs = isForm || untyped.some(([each]) => each === path);
    const shown = isAsOurs ? own?.[1] : type;
    return own?.[2] === 'items' && several === '1'
      ? `${path}|${shown}|items|${nil}`
      : `${path}|${shown}|${least}|${several}|${nil}`;
  });
}

/** What zeep reads of an operation, without the parameter of credentials where there is one: it comes first. */
function withoutCredentials(lines: readonly string[], { takesCredentials }: DescribedOperation): readonly string[] {
  const [first] = lines;
  const path = first?.split('|')[0];
  if (!takesCredentials || path === undefined) return lines;
  return lines.filter((line) => line.split('|')[0] !== path && !line.startsWith(`${path}/`));
}

/** Compares what is read of a WSDL with what zeep reads. Gives the operations that both read. */
async function compare(file: string, theirs: Theirs): Promise<readonly string[]> {
  if (typeof theirs === 'string') assert.fail(`${file}: ${theirs}`);
  const { operations: read, types, unread } = await description(file);
  for (const operation of read) {
    const { name, parameters, resultName, result } = operation;
    const wrapper = resultName === undefined ? undefined : `out/${resultName}`;
    const ours = [...linesOf(types, parameters, 'in'), ...linesOf(types, result, wrapper ?? 'out')];
    const told = withoutCredentials(theirs[name] ?? [], operation);
    const isUnread = (element: string): boolean => unread.some(({ place }) => place === element);
    assert.deepEqual(ours, inOurTerms(told, ours, { wrapper, isUnread }), `${file}: ${name}`);
  }
  const names = read.map(({ name }) => name);
  const missing = Object.keys(theirs).filter((name) => !names.includes(name));
  assert.deepEqual(
    missing.filter((name) => unread.every(({ place }) => place !== name)),
    [],
    `${file}: operations that are not read, and not told`,
  );
  return names;
}

/** What zeep reads of some files. */
function readByZeep(files: readonly string[]): Readonly<Record<string, Theirs>> {
  const script = inTests('interop/programs/zeep-reading.py');
  const { stdout, stderr } = spawnSync(python('zeep'), [script], {
    input: files.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as Record<string, Theirs>;
}

describe('What is read of a WSDL, and what zeep reads', () => {
  const here = home();
  before(function () {
    needs(this, 'python3 with zeep');
  });
  after(() => here.remove());

  it('is the same of WSDLs that others wrote', async () => {
    const names = readdirSync(axis, { recursive: true }) as string[];
    const files = names.filter((file) => file.endsWith('.wsdl')).map((file) => join(axis, file));
    const theirs = readByZeep(files);
    // One imports a schema by a URL, and of one zeep cannot read the headers.
    const unreadable = files
      .filter((file) => typeof theirs[file] === 'string')
      .map((file) => file.slice(axis.length + 1));
    assert.deepEqual(unreadable.sort(), ['AttrGroupService.wsdl', join('MultiImpIncl', 'wsdl', 'MultiImp.wsdl')]);
    for (const file of files) {
      const their = theirs[file] ?? '';
      if (typeof their !== 'string') await compare(file, their);
    }
  });

  it('is the same of the service itself, in each of its operations', async () => {
    const namespace = 'http://crm.example/ns';
    const all = Object.values<Operation>(operations);
    const address = 'http://crm.example/V1/service.asmx';
    const file = join(here.folder, 'service.wsdl');
    writeFileSync(file, writeWsdl({ operations: all, namespace, address }));
    assert.deepEqual(
      (await compare(file, readByZeep([file])[file] ?? '')).toSorted(),
      all.map(({ name }) => name).sort(),
    );
  });

  /** Compares files whose operation is Ask; gives how many are wholly read. */
  async function compareAll(files: readonly string[]): Promise<number> {
    const theirs = readByZeep(files);
    let compared = 0;
    for (const file of files) {
      // A type in which a name comes twice, in several places, is told to be unread; one that others extend is read.
      const { unread } = await description(file);
      if (unread.some(({ what }) => !what.startsWith('a type that others can extend'))) continue;
      assert.deepEqual(await compare(file, theirs[file] ?? ''), ['Ask'], file);
      compared += 1;
    }
    return compared;
  }

  it('is the same of types that are drawn by lot', async () => {
    const files = seeds.map((seed) => join(here.folder, `some-${seed}.wsdl`));
    files.forEach((file, at) => writeFileSync(file, someWsdl(first + at)));
    const compared = await compareAll(files);
    assert.ok(compared > 150, `${compared} were compared`);
  });

  it('is the same of what soapcpp2 of gSOAP makes of classes that are drawn by lot', async function () {
    needs(this, 'gSOAP');
    const files = seeds.map((seed) => {
      const folder = join(here.folder, `gsoap-${seed}`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'some.h'), someHeader(seed));
      const { status, stderr } = spawnSync('soapcpp2', ['-S', '-x', 'some.h'], { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      return join(folder, 'some.wsdl');
    });
    assert.equal(await compareAll(files), files.length);
  });

  it('is the same of what spyne makes of models that are drawn by lot', async function () {
    needs(this, 'python3 with spyne');
    const args = [inTests('interop/programs/spyne-models.py'), here.folder, String(first), String(seeds.length)];
    const { status, stderr } = spawnSync(python('spyne'), args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const files = seeds.map((seed) => join(here.folder, `spyne-${seed}.wsdl`));
    assert.equal(await compareAll(files), files.length);
  });
});
