'use strict';
// Loads the program, which is a few files of JavaScript, with the code that V8 compiled of them in earlier runs. A code
// cache in the user's cache folder holds that code, one file for each command, because V8 reads all of it at once. Where
// nothing can be cached, or the cache is damaged, the program runs from its source.
const { closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync } = require('node:fs');
const { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { basename, dirname, isAbsolute, join } = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const version = '';
const ids = [];
const program = join(__dirname, 'program');
const file = join(program, `relctl-${version}.cjs`);
const { env, platform } = process;

/** A folder that has to exist, and the names of those below it that relctl may make; undefined where the user has none. */
function cacheFolders() {
  const { RELCTL_CACHE_DIR: own, XDG_CACHE_HOME: xdg } = env;
  if (own) return isAbsolute(own) ? { base: dirname(own), names: [basename(own)] } : undefined;
  if (isAbsolute(xdg ?? '')) return { base: dirname(xdg), names: [basename(xdg), 'relctl'] };
  const home = env.HOME ?? homedir();
  // Run as root for somebody else, with that user's HOME, it must not leave folders there.
  if (!isAbsolute(home) || (platform !== 'win32' && statSync(home).uid !== process.getuid())) return undefined;
  if (platform === 'darwin') return { base: home, names: ['Library', 'Caches', 'relctl'] };
  if (platform === 'win32' && env.LOCALAPPDATA) return { base: env.LOCALAPPDATA, names: ['relctl', 'cache'] };
  return { base: home, names: ['.cache', 'relctl'] };
}

const words = process.argv.slice(2);

/** The name of the cache of this command; `help` for help and for unknown commands. The service within the process is code of its own. */
function cacheName() {
  const end = words.findIndex((word) => word.startsWith('-'));
  const leading = end === -1 ? words : words.slice(0, end);
  const id = [3, 2, 1].map((count) => leading.slice(0, count).join(':')).find((some) => ids.includes(some));
  if (id === undefined || words.includes('--help') || words.includes('-h')) return 'help';
  const isWithin = env.RELCTL_PROFILE === 'sandbox' || words.some((word) => /^(?:-p|--profile=)?sandbox$/.test(word));
  return `${id.replaceAll(':', '-')}${isWithin ? '-sandbox' : ''}`;
}

/** What this run may compile that another run of the command did not: its flags, without their values but that of the format. */
function flagsOfRun() {
  const isFlag = (word, index) => word.startsWith('-') || /^(?:-o|--output)$/.test(words[index - 1] ?? '');
  const flags = words.filter(isFlag).map((word) => (word.startsWith('--output=') ? word : word.replace(/=.*/s, '')));
  return [...new Set(flags)].sort().join(' ').slice(0, 200);
}

/** Whether it belongs to the user, so that code in it can be run without another look. */
const isOwn = ({ uid, mode }) => platform === 'win32' || (uid === process.getuid() && (mode & 0o022) === 0);

/** The folders of the code cache from one that has to exist; the last is that of this build. None where nothing can be cached. */
function codeFolders() {
  try {
    const { base, names } = cacheFolders() ?? {};
    if (base === undefined) return [];
    // V8 knows its code by its version, its settings and the length of the source. The name tells the rest apart: another
    // build, another Node, another processor.
    const build = `${version}-node-${process.versions.node}-${platform}-${process.arch}`;
    let path = base;
    return [...names, 'code', build].map((name) => (path = join(path, name)));
  } catch {
    return [];
  }
}

const folders = env.NODE_DISABLE_COMPILE_CACHE ? [] : codeFolders();
const folder = folders.at(-1);
const codeFile = folder === undefined ? undefined : join(folder, `${cacheName()}.code`);

/** More than the code of a command ever takes. */
const mostBytes = 2 ** 26;

/** Runs of a command with other flags that add to its cache: more would make it large, for V8 reads it whole. */
const mostRuns = 12;

const nothing = () => ({ runs: [], codes: new Map() });

// V8 runs any code that it gets: one changed bit ends in a crash, or in another result. So a checksum follows the code,
// and relctl uses no code with a wrong one. Before it stand the codes of all files that the command loads, and before
// them one line of JSON: the runs that added to them, and the names and lengths of the files.
function readCode() {
  try {
    // Not to wait for whoever writes to it, should it be a pipe.
    const opened = openSync(codeFile, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = fstatSync(opened);
      if (!facts.isFile() || facts.size > mostBytes || !isOwn(facts)) return nothing();
      const bytes = readFileSync(opened);
      const content = bytes.subarray(0, -4);
      if (crc32(content) !== bytes.readUInt32LE(content.length)) return nothing();
      let end = content.indexOf('\n') + 1;
      const { runs, files } = JSON.parse(content.toString('latin1', 0, end));
      return { runs, codes: new Map(files.map(([path, length]) => [path, content.subarray(end, (end += length))])) };
    } finally {
      closeSync(opened);
    }
  } catch {
    return nothing();
  }
}

/** Removes the code of builds and versions of Node that was last added to more than 30 days ago. */
function removeOld(all) {
  for (const name of readdirSync(all)) {
    const path = join(all, name);
    const isOld = Date.now() - lstatSync(path).mtimeMs > 30 * 24 * 3600 * 1000;
    if (isOld && /^[0-9a-f]{12}-node-/.test(name)) rmSync(path, { recursive: true, force: true });
  }
}

/** Makes the folders that are missing, one in another: Node tries without end to make all at once where it cannot. */
function makeFolders() {
  for (const path of folders) {
    if (existsSync(path)) continue;
    mkdirSync(path, { mode: 0o700 });
    if (path === folder) removeOld(dirname(path));
  }
  if (!isOwn(statSync(folder))) throw new Error('the folder belongs to somebody else');
}

/** Removes the temporary files of processes that were killed while they wrote code. */
function sweepUnfinished() {
  for (const name of readdirSync(folder)) {
    const pid = Number(/\.code\.(\d+)$/.exec(name)?.[1] ?? process.pid);
    try {
      process.kill(pid, 0);
    } catch ({ code }) {
      if (code === 'ESRCH') rmSync(join(folder, name), { force: true });
    }
  }
}

/** Writes code for the next run, whole or not at all. */
function writeCode(runs, codes) {
  const files = [...codes].map(([path, code]) => [path, code.length]);
  const content = Buffer.concat([Buffer.from(`${JSON.stringify({ runs, files })}\n`), ...codes.values()]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(content));
  makeFolders();
  sweepUnfinished();
  const temporary = `${codeFile}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([content, sum]), { flag: 'wx', mode: 0o600 });
    renameSync(temporary, codeFile);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Modules of Node that a call may do without. */
const late = new Set(['child_process', 'crypto', 'https', 'tls', 'v8']);

/** Stands for a module, which is loaded when one of its members is first asked for. */
function whenUsed(path) {
  let loaded;
  // Held here, because `require` looks a module up anew each time, and a member may be asked for with every record.
  const moduleOf = () => (loaded ??= require(path));
  return new Proxy(
    {},
    {
      get: (_nothing, name) => moduleOf()[name],
      has: (_nothing, name) => name in moduleOf(),
      // For what copies all members of a module.
      ownKeys: () => Reflect.ownKeys(moduleOf()),
      getOwnPropertyDescriptor: (_nothing, name) => {
        const found = Reflect.getOwnPropertyDescriptor(moduleOf(), name);
        return found && { ...found, configurable: true };
      },
    },
  );
}

/** Loads files of the program, by paths from its folder, as `require` does. */
function loader() {
  const { runs, codes } = codeFile === undefined ? nothing() : readCode();
  const run = flagsOfRun();
  const scripts = new Map();
  const modules = new Map();
  let v8;
  let settings;

  /** Has this run add to the cache. */
  function record() {
    if (codeFile === undefined || v8 !== undefined) return;
    v8 = require('node:v8');
    // V8 accepts code for the settings that it was compiled with only.
    settings = v8.cachedDataVersionTag();
  }

  // What other flags need is compiled in addition to what the cache holds, and the cache gets both.
  if (!runs.includes(run) && runs.length < mostRuns) record();

  function compile(path) {
    const file = join(program, path);
    const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'latin1')}\n})`;
    v8?.setFlagsFromString('--flush-bytecode');
    const script = new Script(source, { filename: file, cachedData: codes.get(path) });
    if (script.cachedDataRejected !== false) record();
    // In a longer run, V8 would drop the code of what only runs at the start.
    v8?.setFlagsFromString('--no-flush-bytecode');
    scripts.set(path, script);
    return script.runInThisContext();
  }

  function load(path) {
    const known = modules.get(path);
    if (known !== undefined) return known.exports;
    const body = compile(path);
    const loaded = { exports: {} };
    modules.set(path, loaded);
    body(loaded.exports, requireFrom, loaded, join(program, path), program);
    return loaded.exports;
  }

  function requireFrom(path) {
    if (path.startsWith('./')) return load(path);
    return late.has(path.replace(/^node:/, '')) ? whenUsed(path) : require(path);
  }

  process.on('exit', (status) => {
    if (status !== 0 || v8 === undefined) return;
    v8.setFlagsFromString('--flush-bytecode');
    if (v8.cachedDataVersionTag() !== settings) return;
    for (const [path, script] of scripts) codes.set(path, script.createCachedData());
    try {
      writeCode([...new Set([...runs, run])].slice(0, mostRuns), codes);
    } catch {
      // The cache is an aid: that it cannot be written is no failure.
    }
  });
  return load;
}

function load() {
  // As main.ts reads it, which refuses what is neither yes nor no.
  if (/^(?:0|false|no?|off)?$/i.test(env.RELCTL_DEBUG ?? '')) return loader()(`./relctl-${version}.cjs`);
  // Stacks then name the sources instead of the built files.
  process.setSourceMapsEnabled(true);
  return require(file);
}

/** The program, and each command by its id; nothing where it was not built. */
module.exports = existsSync(file) ? load() : undefined;
