import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answers, brokenServer } from '../../support/broken-server.js';
import { ends, home, relctlProcess } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { envelope, namespace } from '../../support/soap-answers.js';

const program = fileURLToPath(new URL('../../../dist/program', import.meta.url));

/** Paths of the modules in a file of the program, as its map tells them. */
function modulesIn(file: string): readonly string[] {
  const { sources } = JSON.parse(readFileSync(join(program, `${file}.map`), 'utf8')) as { readonly sources: string[] };
  return sources.map((path) => path.replace(/^(?:\.\.\/)+/, ''));
}

const id = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

/** The files of the program that a run loads: those whose code it keeps. */
async function loadedBy(variables: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<readonly string[]> {
  const place = home();
  try {
    const kept = join(place.folder, 'kept');
    await ends(relctlProcess(args, { env: { ...place.env, ...variables, RELCTL_CACHE_DIR: kept } }), 0);
    const files = readdirSync(kept, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.code'));
    assert.equal(files.length, 1);
    const [head = ''] = readFileSync(join(kept, files[0] ?? ''), 'latin1').split('\n', 1);
    const { files: loaded } = JSON.parse(head) as { readonly files: readonly (readonly [string, number])[] };
    return loaded.map(([path]) => path.replace('./', ''));
  } finally {
    place.remove();
  }
}

const partsOf = (files: readonly string[]): readonly string[] =>
  files.map((file) => file.replace(/-[0-9a-f]{12}\.cjs$/, ''));

/** What a call does without: packages, and rooms of the sources. */
const unneeded = argv`
  node_modules/@modelcontextprotocol/ node_modules/cli-spinners/ node_modules/cli-table3/ node_modules/conf/
  node_modules/fast-xml-parser/ node_modules/inquirer/ node_modules/libsql/ node_modules/pg/ node_modules/yaml/
  node_modules/zod/ src/writes/run.ts src/formats/readers/ src/mirror/open.ts src/formats/query/ src/sandbox/
  src/wsdl/reading/
`;

const known = {
  RELCTL_NAMESPACE: namespace,
  RELCTL_API_KEY: id,
  RELCTL_DATABASE_ID: id,
  RELCTL_USER_ID: id,
};

/** An answer of RelationGet. */
const relation = envelope(
  '1.2',
  `<RelationGetResponse xmlns="${namespace}"><RelationGetResult><Relation><Id>${id}</Id><EntityTypeId>${id}</EntityTypeId><Info>Bakker</Info><SortingName>Bakker</SortingName><DisplayName>Bakker</DisplayName><IsRoot>false</IsRoot><IsDummy>false</IsDummy><ImportKey>7</ImportKey><IsInactive>false</IsInactive><FieldValues xsi:nil="true" /><CounterValues xsi:nil="true" /></Relation></RelationGetResult></RelationGetResponse>`,
);

describe('Files of the program that a run loads', () => {
  const needed = ['calls', 'commands', 'contract', 'records', 'relctl', 'topic-relation'];

  function areNeeded(files: readonly string[], ...more: readonly string[]): void {
    assert.deepEqual([...partsOf(files)].sort(), [...needed, ...more].sort());
    const modules = files.flatMap(modulesIn);
    assert.ok(modules.includes('src/lists/record/call.ts'));
    const found = unneeded.filter((start) => modules.some((path) => path.startsWith(start)));
    assert.deepEqual(found, []);
  }

  it('are few for a request that is shown, without HTTP', async () => {
    const variables = { ...known, RELCTL_BASE_URL: 'http://127.0.0.1:9' };
    areNeeded(await loadedBy(variables, 'relation', 'get', id, '--envelope'));
  });

  it('are those and HTTP for a call and its answer', async () => {
    const service = await brokenServer({ answer: answers(relation) });
    try {
      areNeeded(await loadedBy({ ...known, RELCTL_BASE_URL: service.url }, 'relation', 'get', id), 'http');
    } finally {
      await service.close();
    }
  });

  it('are two for help', async () => {
    assert.deepEqual(partsOf(await loadedBy({}, '--help')), ['relctl', 'help']);
  });

  it('hold each module that was named as unneeded', () => {
    const all = readdirSync(program, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.cjs'))
      .flatMap(modulesIn);
    assert.deepEqual(
      unneeded.filter((start) => !all.some((path) => path.startsWith(start))),
      [],
    );
  });
});
