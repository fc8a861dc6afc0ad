import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachmentId } from '../../support/soap-answers.js';
import { started } from '../../support/export-lane.js';
import { ends, home } from '../../support/relctl.js';
import { sandboxHere, type ServingSandbox } from '../../support/sandbox.js';
import { skip } from '../../support/skip.js';
import { whyNoTracer } from '../../support/tracer.js';

const calls = 'write,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat';

describe('What makes a file durable', function () {
  this.timeout(60_000);
  const place = home();
  const folder = join(place.folder, 'out');
  const state = join(place.folder, 'state/relctl/written');
  let service: ServingSandbox | undefined;

  before(async function () {
    const reason = whyNoTracer();
    if (reason !== undefined) skip(this, reason);
    mkdirSync(folder);
    service = await sandboxHere(place.env);
  });
  after(async () => {
    await service?.stop();
    place.remove();
  });

  /** Names that are made of numbers of processes and hashes, by what they are for. */
  const plain = (text: string): string =>
    text
      .replaceAll(`${folder}/`, '')
      .replaceAll(folder, 'FOLDER')
      .replaceAll(`${state}/`, 'written/')
      .replaceAll(state, 'written')
      .replace(/\.part-\d+-[0-9a-f]{16}/g, '.part')
      .replace(/\.new\.\d+-[0-9a-f]{16}/g, '.new')
      .replace(/written\/[0-9a-f]{32}\.json/g, 'written/RECORD');

  /** What a run of the program did to these two folders, call by call; a call repeated is told once. */
  async function done(...args: readonly string[]): Promise<readonly string[]> {
    const log = join(place.folder, 'calls');
    const under = ['strace', '-f', '-y', '-qq', '-o', log, '-e', `trace=${calls}`];
    await ends(started([...args, '-p', 'sandbox'], { env: place.env, under }).ended, 0, '');
    const found = readFileSync(log, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, name = '', rest = ''] = /^\d+ +(\w+)\((.*)$/.exec(line) ?? [];
        const paths = [...rest.matchAll(/^\d+<([^>]*)>|"([^"]*)"/g)].map(([, handle, text]) => handle ?? text ?? '');
        const ours = paths.filter((path) => path.startsWith(folder) || path.startsWith(state));
        const verb = name.replace(/at2?$|64$|^p(?=write)/g, '').replace('fdatasync', 'fsync');
        return ours.length === 0 ? [] : [`${verb} ${ours.map(plain).join(' ')}`];
      });
    return found.filter((text, at) => text !== found[at - 1]);
  }

  it('in an export is done in this order: part, journal, record, name, folder; and what is not needed goes last', async () => {
    const made = await done('relation', 'list', '-o', 'csv', '--output-file', join(folder, 'list.csv'));
    const from = made.indexOf('link list.csv.lock.new list.csv.lock');
    assert.deepEqual(made.slice(0, from), ['write list.csv.lock.new', 'fsync list.csv.lock.new']);
    const last = made.slice(made.lastIndexOf('write list.csv.part'));
    // Part and journal are synced each second as well, so on a slow machine behind the last page too.
    const cut = last.indexOf('ftruncate list.csv.part');
    const pages = last.slice(0, cut).filter((call) => !call.startsWith('fsync'));
    assert.deepEqual(pages.concat(last.slice(cut)), [
      'write list.csv.part',
      'write list.csv.journal',
      'ftruncate list.csv.part',
      'fsync list.csv.part',
      'write list.csv.journal',
      'fsync list.csv.journal',
      'write written/RECORD.part',
      'fsync written/RECORD.part',
      'rename written/RECORD.part written/RECORD',
      'fsync written',
      'rename list.csv.part list.csv',
      'fsync FOLDER',
      'unlink list.csv.journal',
      'unlink list.csv.lock',
    ]);
  });

  it('in an attachment is the file, the record of it, its name, and its folder', async () => {
    assert.deepEqual(await done('attachment', 'get', attachmentId, '--output-file', join(folder, 'a.pdf')), [
      'write a.pdf.part',
      'fsync a.pdf.part',
      'write written/RECORD.part',
      'fsync written/RECORD.part',
      'rename written/RECORD.part written/RECORD',
      'fsync written',
      'rename a.pdf.part a.pdf',
      'fsync FOLDER',
    ]);
  });
});
