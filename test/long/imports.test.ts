import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argv } from '../support/argv.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Breaks of the rules: a file with its content, and the rule that must say no. */
const breaks: readonly (readonly [file: string, content: string, rule: string])[] = [
  ['src/xml/up.ts', "import '../soap/wire/down.js';", 'room-xml'],
  ['src/contract/up.ts', "import '../xml/down.js';", 'room-contract'],
  ['src/soap/transport/up.ts', "import '../codec/down.js';", 'soap-transport'],
  ['src/commands/up.ts', "import '../soap/wire/down.js';", 'room-commands'],
  ['src/topics/call/up.ts', "import '../diff/down.js';", 'no-ways-between-topics'],
  ['src/kit/sandbox.ts', "import '../sandbox/down.js';", 'sandbox-by-one-door'],
  ['src/elsewhere/door.ts', "import '../core/down.js';", 'room-without-rules'],
  ['src/client/door.ts', "import 'axios';", 'door-axios'],
  ['src/soap/wire/door.ts', "import 'fast-xml-parser';", 'door-fast-xml-parser'],
  ['src/sandbox/door.ts', "import 'libsql';", 'door-libsql'],
  ['src/client/file.ts', "import 'node:fs';", 'file-system-doors'],
  ['src/client/a.ts', "import './b.js';", 'no-cycles'],
];

describe('The rules of imports', () => {
  const place = mkdtempSync(join(tmpdir(), 'relctl-imports-'));
  const put = (file: string, content: string): void => {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), content);
  };
  let output = '';

  before(function () {
    for (const name of ['.dependency-cruiser.cjs', 'package.json', 'tsconfig.json'])
      put(name, readFileSync(join(root, name), 'utf8'));
    for (const name of ['axios', 'fast-xml-parser', 'libsql']) {
      put(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
      put(`node_modules/${name}/index.js`, '');
    }
    for (const [file, content] of breaks) put(file, `${content}\n`);
    put('src/client/b.ts', "import './a.js';\n");
    for (const room of ['soap/wire', 'soap/codec', 'core', 'xml', 'topics/diff', 'sandbox'])
      put(`src/${room}/down.ts`, 'export const down = 1;\n');
    const cruiser = join(root, 'node_modules/.bin/depcruise');
    const { stdout, stderr } = spawnSync(process.execPath, [cruiser, 'src'], { cwd: place });
    output = stdout.toString() + stderr.toString();
  });
  after(() => rmSync(place, { recursive: true, force: true }));

  for (const [file, content, rule] of breaks) {
    it(`stop ${content} in ${file}`, () => {
      assert.match(output, new RegExp(`error ${rule}: ${file.replaceAll('.', '\\.')}`));
    });
  }

  it('stop another use of a global, a file that is too long, and what oxlint itself has no rule for', () => {
    const lines = [
      'export const now = (): number => Date.now();',
      'export const home = process.env;',
      "export const spoolSize = mkdirSync('a', { recursive: true });",
      ...Array.from({ length: 350 }, (_, index) => `export const v${index} = ${index};`),
    ];
    put('src/client/linted.ts', lines.join('\n'));
    put('test/linted.test.ts', 'this.skip();\n');
    for (const name of ['oxlint.config.js', 'scripts/lint.js', 'docs/glossary.md'])
      put(name, readFileSync(join(root, name), 'utf8'));
    symlinkSync(join(root, 'node_modules/oxlint'), join(place, 'node_modules/oxlint'));
    const program = join(root, 'node_modules/oxlint/bin/oxlint');
    const options = ['-c', 'oxlint.config.js', '-f', 'json', 'src/client/linted.ts', 'test'];
    const { stdout } = spawnSync(process.execPath, [program, ...options], {
      cwd: place,
      encoding: 'utf8',
      env: { ...process.env, OXLINT_TSGOLINT_PATH: join(root, 'node_modules/.bin/tsgolint') },
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { code: string }[] };
    const rules = new Set(diagnostics.map(({ code }) => code));
    for (const rule of argv`
      eslint(no-restricted-properties) eslint(max-lines) relctl(words) relctl(folders) relctl(skips)
    `) {
      assert.ok(rules.has(rule), `${rule} in ${stdout}`);
    }
  });
});
