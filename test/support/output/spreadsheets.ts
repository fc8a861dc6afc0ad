import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { askPython } from './python.js';

/** How LibreOffice writes CSV: commas, quotes, UTF-8, every sheet, cells as they are shown. */
const asShown = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1';

const readCsv = `
import csv, io
print(json.dumps([list(csv.reader(io.StringIO(text, newline=''))) for text in json.load(sys.stdin)]))`;

/** Runs LibreOffice on a file, and gives what is then in the folder of its output, by name. */
function converted(
  name: string,
  content: Uint8Array | string,
  { reading, to }: { readonly reading: readonly string[]; readonly to: string },
): ReadonlyMap<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-office-'));
  try {
    writeFileSync(join(folder, name), content);
    const user = `-env:UserInstallation=${pathToFileURL(join(folder, 'user')).href}`;
    const words = [user, '--headless', ...reading, '--convert-to', to, '--outdir', join(folder, 'out')];
    const { status, stderr } = spawnSync('soffice', [...words, join(folder, name)], {
      env: { ...process.env, HOME: folder },
    });
    assert.equal(status, 0, stderr.toString());
    const out = join(folder, 'out');
    return new Map(readdirSync(out).map((file) => [file, readFileSync(join(out, file))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A file as LibreOffice writes it after it opened it.
 * @param reading how LibreOffice is to read it
 * @param to the form that it writes
 */
export function savedByLibreOffice(
  name: string,
  content: Uint8Array | string,
  { reading = [], to }: { readonly reading?: readonly string[]; readonly to: string },
): Buffer {
  const [saved] = converted(name, content, { reading, to }).values();
  assert.ok(saved !== undefined, `LibreOffice did not write ${name}`);
  return saved;
}

/**
 * The rows of each sheet of a file as LibreOffice shows them.
 * @param name with the ending of the file, which says what it is
 * @param reading how LibreOffice is to read it
 */
export function shownByLibreOffice(
  name: string,
  content: Uint8Array | string,
  ...reading: readonly string[]
): string[][][] {
  const texts = [...converted(name, content, { reading, to: asShown })]
    // The first sheet has no number behind its name.
    .toSorted(([left], [right]) => (left.replace(/\.csv$/, '') < right.replace(/\.csv$/, '') ? -1 : 1))
    .map(([, bytes]) => bytes.toString('utf8'));
  return askPython(readCsv, texts, 'csv') as string[][][];
}
