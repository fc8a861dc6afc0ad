import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first Python on the path that has these modules, which need not be the first of all. */
function pythonWith(...modules: readonly string[]): string | undefined {
  const script = modules.map((name) => `import ${name}`).join('\n');
  const programs = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'python3'));
  return programs.find((program) => runs(program, '-c', script));
}

function runs(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** What a test may want besides Node: whether it is here, and the packages of Debian that bring it. */
const tools = {
  bash: { debian: 'bash', isHere: () => runs('bash', '-c', 'true') },
  'date of GNU': { debian: 'coreutils', isHere: () => runs('date', '-d', '@0') },
  mkfifo: { debian: 'coreutils', isHere: () => runs('sh', '-c', 'command -v mkfifo') },
  openssl: { debian: 'openssl', isHere: () => runs('openssl', 'version') },
  tmux: { debian: 'tmux', isHere: () => runs('tmux', '-V') },
  zsh: { debian: 'zsh', isHere: () => runs('zsh', '-fc', 'true') },
  fish: { debian: 'fish', isHere: () => runs('fish', '--no-config', '-c', 'true') },
  xmllint: { debian: 'libxml2-utils', isHere: () => runs('xmllint', '--version') },
  python3: { debian: 'python3', isHere: () => pythonWith('csv') !== undefined },
  'python3 with PyYAML': { debian: 'python3-yaml', isHere: () => pythonWith('yaml') !== undefined },
  'python3 with zeep': { debian: 'python3-zeep', isHere: () => pythonWith('zeep') !== undefined },
  'PHP with its SOAP extension': {
    debian: 'php-cli php-soap',
    isHere: () => runs('php', '-r', 'exit(class_exists("SoapClient") ? 0 : 1);'),
  },
  'python3 with openpyxl': { debian: 'python3-openpyxl', isHere: () => pythonWith('openpyxl') !== undefined },
  LibreOffice: { debian: 'libreoffice-calc-nogui', isHere: () => runs('soffice', '--version') },
  'a keyring': {
    debian: 'libsecret-tools gnome-keyring dbus-daemon',
    isHere: () =>
      runs('sh', '-c', 'command -v secret-tool && command -v gnome-keyring-daemon && command -v dbus-run-session'),
  },
  PostgreSQL: { debian: 'postgresql', isHere: () => existsSync('/usr/lib/postgresql') },
  gSOAP: { debian: 'gsoap', isHere: () => runs('soapcpp2', '-V') },
  'python3 with spyne': { debian: 'python3-spyne', isHere: () => pythonWith('spyne') !== undefined },
  Mono: {
    debian: 'mono-runtime mono-mcs libmono-system-web-services4.0-cil',
    isHere: () =>
      runs('mono', '--version') && runs('mcs', '--version') && existsSync('/usr/lib/mono/4.5/System.Web.Services.dll'),
  },
  wsimport: { debian: 'jaxws', isHere: () => runs('wsimport', '-version') },
} as const;

/** A program that a test may want. */
export type Tool = keyof typeof tools;

const known = new Map<Tool, boolean>();

/** Whether a program is on this machine. It is looked for once in a run. */
function isHere(tool: Tool): boolean {
  const found = known.get(tool) ?? tools[tool].isHere();
  known.set(tool, found);
  return found;
}

/** The Python to run with these modules. Throws where `isHere` says that there is none. */
export function python(...modules: readonly string[]): string {
  const found = pythonWith(...modules);
  if (found === undefined) throw new Error(`there is no python3 with ${modules.join(', ')}`);
  return found;
}

/** Notes the reason on a test; with --parallel the reporter is in another process, and sees what `serialize` gives. */
function note(test: object, skipReason: string): void {
  // The types of mocha leave it out.
  const told = test as { serialize(): object };
  const serialize = told.serialize.bind(test);
  Object.assign(test, { skipReason, serialize: () => ({ ...serialize(), skipReason }) });
}

/**
 * Skips the test that calls it, or every test of the suite when a `before` calls it. The reporter prints the reason; a
 * skip without one counts as a failure.
 */
export function skip(context: Mocha.Context, reason: string): never {
  const { test: runnable } = context;
  // In a `before` it is the suite that is skipped.
  if (runnable !== undefined && 'type' in runnable && runnable.type === 'hook') {
    runnable.parent?.eachTest((test) => note(test, reason));
  } else if (runnable !== undefined) note(runnable, reason);
  return context.skip();
}

/** Skips, as `skip` does, where a program is not on this machine. */
export function needs(context: Mocha.Context, ...wanted: readonly Tool[]): void {
  const absent = wanted.find((tool) => !isHere(tool));
  if (absent !== undefined) skip(context, `${absent} is not installed (Debian: ${tools[absent].debian})`);
}
