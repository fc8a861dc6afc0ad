'use strict';
// Loads the program, which is one file and one for each package that few commands need, with the code that V8 made of them
// in an earlier run. That code is kept in the user's cache folder, one file for each command, because V8 reads all of it at
// once. Where it cannot be kept, or is not right, the program runs from its source.
const { closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync } = require('node:fs');
const { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { basename, dirname, isAbsolute, join } = require('node:path');
const { cachedDataVersionTag, setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const version = '';
const ids = [];
const program = join(__dirname, 'program');
const file = join(program, `relctl-${version}.cjs`);
const { env, platform } = process;

/** A folder that has to be there, and those below it that may be made; undefined where there is none of one's own. */
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

/** The command that is asked for; `help` for help and for what no command begins with. The embedded service within the process is code of its own. */
function asked() {
  const words = process.argv.slice(2);
  const end = words.findIndex((word) => word.startsWith('-'));
  const leading = end === -1 ? words : words.slice(0, end);
  const id = [3, 2, 1].map((count) => leading.slice(0, count).join(':')).find((some) => ids.includes(some));
  if (words.includes('--help') || words.includes('-h')) return 'help';
  if (id === undefined) return 'help';
  const isWithin = env.RELCTL_PROFILE === 'sandbox' || words.some((word) => /^(?:-p|--profile=)?sandbox$/.test(word));
  return `${id.replaceAll(':', '-')}${isWithin ? '-sandbox' : ''}`;
}

/** Whether it belongs to the user, so that code in it can be run without another look. */
const isOwn = ({ uid, mode }) => platform === 'win32' || (uid === process.getuid() && (mode & 0o022) === 0);

/** Where code is kept, if anywhere: the folders from one that has to be there, the last of them that of this program. */
function keepingFolders() {
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

const folders = env.NODE_DISABLE_COMPILE_CACHE ? [] : keepingFolders();
const folder = folders.at(-1);
const codeFile = folder === undefined ? undefined : join(folder, `${asked()}.code`);

/** More than any code of the program takes. */
const mostBytes = 2 ** 26;

// V8 runs whatever code it is given: one changed bit ends in a crash, or in another result. So a checksum stands behind
// the code; what has not the right one is not used. Before it stand the codes of all files that the command loads, before
// them their names and lengths as one line of JSON.
function readCode() {
  try {
    // Not to wait for whoever writes to it, should it be a pipe.
    const opened = openSync(codeFile, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = fstatSync(opened);
      if (!facts.isFile() || facts.size > mostBytes || !isOwn(facts)) return new Map();
      const bytes = readFileSync(opened);
      const content = bytes.subarray(0, -4);
      if (crc32(content) !== bytes.readUInt32LE(content.length)) return new Map();
      let end = content.indexOf('\n') + 1;
      const lengths = JSON.parse(content.toString('latin1', 0, end));
      return new Map(lengths.map(([path, length]) => [path, content.subarray(end, (end += length))]));
    } finally {
      closeSync(opened);
    }
  } catch {
    return new Map();
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

/** Removes what processes left in the folder that were killed while they kept code. */
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

/** Keeps code for the next run, whole or not at all. */
function writeCode(codes) {
  const lengths = [...codes].map(([path, code]) => [path, code.length]);
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(lengths)}\n`), ...codes.values()]);
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
const late = new Set(['child_process', 'crypto', 'https', 'tls']);

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
  const isKept = codeFile !== undefined;
  const codes = isKept ? readCode() : new Map();
  const scripts = new Map();
  const modules = new Map();
  let isNew = false;

  function load(path) {
    const known = modules.get(path);
    if (known !== undefined) return known.exports;
    const file = join(program, path);
    const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'latin1')}\n})`;
    const script = new Script(source, { filename: file, cachedData: codes.get(path) });
    if (script.cachedDataRejected !== false) isNew = true;
    scripts.set(path, script);
    const loaded = { exports: {} };
    modules.set(path, loaded);
    script.runInThisContext()(loaded.exports, requireFrom, loaded, file, program);
    return loaded.exports;
  }

  function requireFrom(path) {
    if (path.startsWith('./')) return load(path);
    return late.has(path.replace(/^node:/, '')) ? whenUsed(path) : require(path);
  }

  // V8 takes code for the settings that it was made with only.
  const settings = cachedDataVersionTag();
  // In a first run that takes longer, V8 would drop the code of what was only done at its start.
  if (isKept && codes.size === 0) setFlagsFromString('--no-flush-bytecode');
  process.on('exit', (status) => {
    if (status !== 0 || !isKept || !isNew) return;
    setFlagsFromString('--flush-bytecode');
    if (cachedDataVersionTag() !== settings) return;
    for (const [path, script] of scripts) codes.set(path, script.createCachedData());
    try {
      writeCode(codes);
    } catch {
      // The code is an aid: that it cannot be kept is no failure.
    }
  });
  return load;
}

function load() {
  // As main.ts reads it, which refuses what is neither yes nor no.
  if (/^(?:0|false|no?|off)?$/i.test(env.RELCTL_DEBUG ?? '')) return loader()(`./relctl-${version}.cjs`);
  // Places in the sources rather than in the one file.
  process.setSourceMapsEnabled(true);
  return require(file);
}

/** The program, and each command by its id; nothing where it was not built. */
module.exports = existsSync(file) ? load() : undefined;
