import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {
  checkReplaceable,
  checkUntouched,
  remember,
  rememberPart,
  rowsIn,
  targetOf,
} from '../../src/state/output-registry.js';
import { assertFailure, place } from '../support/profiles/place.js';
import { failureOf } from '../support/thrown.js';

describe('A file that is to be replaced', () => {
  const here = place();
  after(() => here.remove());
  const folder = here.at('traces');
  const file = here.at('list.csv');
  beforeEach(() => rmSync(file, { force: true, recursive: true }));
  const check = (force = false): string | undefined => checkReplaceable(file, { folder, force });

  it('may be, when it is not there, when it is ours, and when it is forced', () => {
    assert.equal(check(), undefined);
    writeFileSync(file, 'rows');
    remember(folder, file);
    assert.equal(typeof check(), 'string');
    writeFileSync(file, 'theirs, longer');
    assert.equal(typeof check(true), 'string');
  });

  it('may not be, when another program wrote it or changed it since', async () => {
    writeFileSync(file, 'rows');
    assertFailure(await failureOf(check), { kind: 'local', says: /already exists/ });
    remember(folder, file);
    appendFileSync(file, '!');
    assertFailure(await failureOf(check), { kind: 'local', says: /already exists/ });
    writeFileSync(file, 'rows');
    remember(folder, file);
    utimesSync(file, 1, 1);
    assertFailure(await failureOf(check), { kind: 'local', says: /already exists/ });
  });

  it('may be when a run was killed just before or just after it put its file there', async () => {
    const [part, traces] = [here.at('list.csv.part'), here.at('other-traces')];
    const checkOther = (): string | undefined => checkReplaceable(file, { folder: traces, force: false });
    writeFileSync(part, 'first');
    rememberPart(traces, file, { part });
    renameSync(part, file);
    assert.equal(typeof checkOther(), 'string');
    writeFileSync(part, 'the second');
    rememberPart(traces, file, { part });
    assert.equal(typeof checkOther(), 'string');
    renameSync(part, file);
    assert.equal(typeof checkOther(), 'string');
    writeFileSync(part, 'the third one');
    writeFileSync(file, 'theirs');
    rememberPart(traces, file, { part });
    assertFailure(await failureOf(checkOther), { kind: 'local', says: /already exists/ });
  });

  it('has the rows that it had, and those that it is to have, around the moment at which it is put there', () => {
    const [part, traces] = [here.at('rows.csv.part'), here.at('traces-of-rows')];
    const rows = (): number | undefined => rowsIn(traces, file, 'relations');
    writeFileSync(file, 'five');
    remember(traces, file, { of: 'relations', rows: 5 });
    writeFileSync(part, 'seven, now');
    rememberPart(traces, file, { part, list: { of: 'relations', rows: 7 } });
    assert.equal(rows(), 5);
    renameSync(part, file);
    assert.equal(rows(), 7);
  });

  it('may be before and after its file takes the place of a link to a file of ours', () => {
    const [link, target, traces] = [here.at('list-link.csv'), here.at('linked.csv'), here.at('traces-of-links')];
    writeFileSync(target, 'first');
    remember(traces, target);
    symlinkSync('linked.csv', link);
    const part = `${link}.part`;
    writeFileSync(part, 'the second');
    rememberPart(traces, link, { part });
    const isOurs = (path: string): boolean => checkReplaceable(path, { folder: traces, force: false }) !== undefined;
    assert.deepEqual([isOurs(link), isOurs(target)], [true, true]);
    renameSync(part, link);
    assert.deepEqual([isOurs(link), isOurs(target)], [true, true]);
  });

  it('may be when the one before it is put back', () => {
    const [part, kept, traces] = [here.at('back.csv.part'), here.at('back-kept'), here.at('traces-of-back')];
    const put = (content: string): void => {
      writeFileSync(part, content);
      rememberPart(traces, file, { part, list: { of: 'relations', rows: content.length } });
      renameSync(part, file);
    };
    put('first');
    linkSync(file, kept);
    put('the second');
    renameSync(kept, file);
    assert.equal(typeof checkReplaceable(file, { folder: traces, force: false }), 'string');
    assert.equal(rowsIn(traces, file, 'relations'), 5);
  });

  it('is no folder, pipe or device, forced or not', async () => {
    mkdirSync(file);
    assertFailure(await failureOf(() => check(true)), { kind: 'local', says: /it is a folder/ });
    assertFailure(await failureOf(() => targetOf(file)), { kind: 'local', says: /it is a folder/ });
    rmSync(file, { recursive: true });
    execFileSync('mkfifo', [file]);
    assertFailure(await failureOf(() => check(true)), { kind: 'local', says: /a device or a pipe/ });
    const error = await failureOf(() => targetOf('/dev/null'));
    assertFailure(error, { kind: 'local', says: /a device or a pipe/ });
    assert.match(error.advice ?? '', /Redirect stdout in the shell/);
  });

  it('is the one that a symbolic link leads to, if it leads anywhere', async () => {
    writeFileSync(file, 'rows');
    symlinkSync('list.csv', here.at('link'));
    assert.equal(targetOf(here.at('link')), targetOf(file));
    symlinkSync('nowhere', here.at('broken'));
    assertFailure(await failureOf(() => targetOf(here.at('broken'))), {
      kind: 'local',
      says: /broken cannot be written/,
    });
    assert.equal(targetOf(here.at('new')), here.at('new'));
  });

  it('must be as it was when the work began, unless it is forced', async () => {
    writeFileSync(file, 'rows');
    remember(folder, file);
    const before = check();
    checkUntouched(file, { before, force: false });
    writeFileSync(file, 'theirs');
    const changed = (): void => checkUntouched(file, { before, force: false });
    assertFailure(await failureOf(changed), { kind: 'local', says: /changed by another program/ });
    checkUntouched(file, { before, force: true });
    rmSync(file);
    const appeared = (): void => checkUntouched(file, { before: undefined, force: false });
    appeared();
    writeFileSync(file, 'theirs');
    assertFailure(await failureOf(appeared), { kind: 'local', says: /changed by another program/ });
  });

  it('is not remembered where that cannot be kept, which is no failure but told', () => {
    const part = here.at('untold.part');
    writeFileSync(file, 'rows');
    writeFileSync(part, 'others');
    const failure = rememberPart(`${file}/none`, file, { part });
    assert.ok(failure);
    assertFailure(failure, { kind: 'local', says: /none cannot be written: part of the path is not a folder/ });
    remember(`${file}/none`, file);
    assert.ok(existsSync(part));
  });
});
