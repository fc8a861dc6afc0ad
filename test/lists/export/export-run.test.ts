import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { Claim, Page } from '../../../src/client/pages.js';
import { resumeStateOf } from '../../../src/lists/export/resume-state.js';
import { packIds, openJournal } from '../../../src/lists/export/journal.js';
import { keysOfIds } from '../../client/page-keys.js';
import { runExport } from '../../../src/lists/export/export-run.js';
import { openPart } from '../../../src/lists/export/part.js';
import { remember } from '../../../src/state/output-registry.js';
import { filesOf, type ExportPlan, type ExportTarget } from '../../../src/lists/export/export-plan.js';
import { assertFailure, place } from '../../support/profiles/place.js';
import { failureOf } from '../../support/thrown.js';
import { job, planFor } from '../../support/export/plan.js';

const claim: Claim = {
  pages: 3,
  rows: 2,
  duplicates: 0,
  changed: 0,
  retries: 0,
  firstId: '1',
  lastId: '2',
  ended: 'empty page',
  shifted: false,
  more: false,
};
const told = {
  operation: '',
  parameters: {},
  profile: '',
  url: '',
  format: 'csv',
  finishedAt: '',
  version: '',
};
const page = { duplicates: 0, changed: 0, retries: 0, pageSize: 1 };

describe('An export', () => {
  const here = place();
  after(() => here.remove());
  const file = here.at('list.csv');
  /** A time that a file gets back to the digit. */
  const whole = 1_700_000_000;
  const rows = 'Id\n1\n2\n';
  afterEach(() => {
    for (const name of readdirSync(here.folder)) if (name.startsWith('list')) rmSync(here.at(name));
  });

  /** An export of two pages, with something that happens between them. */
  function plan(
    between: () => void = () => undefined,
    { target, ...more }: Partial<Omit<ExportPlan, 'target'>> & { readonly target?: Partial<ExportTarget> } = {},
  ): ExportPlan {
    async function* pages(): AsyncGenerator<Page, Claim> {
      yield await Promise.resolve({ ...page, number: 1, signature: 'a', records: [{ Id: '1' }] });
      between();
      yield { ...page, number: 2, signature: 'b', records: [{ Id: '2' }] };
      return claim;
    }
    return planFor(file, { target: { registry: here.at('traces'), ...target }, pages, ...more });
  }

  const changes: Readonly<Record<string, (() => void) | undefined>> = {
    'is written': () => writeFileSync(file, 'theirs'),
    'is written with as many bytes, and has the old time': () => {
      const { atime, mtime, size } = statSync(file);
      writeFileSync(here.at('list.theirs'), 'x'.repeat(size));
      utimesSync(here.at('list.theirs'), atime, mtime);
      renameSync(here.at('list.theirs'), file);
    },
    'gets another time': () => utimesSync(file, 1, 1),
  };

  for (const [title, change = () => undefined] of Object.entries(changes)) {
    it(`does not replace a file of relctl that ${title} by another program while it runs, and is kept`, async () => {
      await runExport(plan());
      utimesSync(file, whole, whole);
      remember(here.at('traces'), file);
      let theirs = '';
      const meddled = plan(() => {
        change();
        theirs = readFileSync(file, 'utf8');
      });
      const error = await failureOf(() => runExport(meddled));
      assertFailure(error, { kind: 'local', says: /list\.csv was changed by another program during this run/ });
      assert.equal(error.hint, '--force');
      assert.equal(readFileSync(file, 'utf8'), theirs);
      await runExport(plan(undefined, { target: { restart: true, force: true } }));
      assert.equal(readFileSync(file, 'utf8'), rows);
    });
  }

  it('does not replace a file that another program put there while it ran', async () => {
    const error = await failureOf(() => runExport(plan(() => writeFileSync(file, 'theirs'))));
    assertFailure(error, { kind: 'local', says: /changed by another program during this run/ });
    assert.equal(readFileSync(file, 'utf8'), 'theirs');
  });

  it('is complete where its report cannot be written after all, and the error says so', async () => {
    const { meta } = filesOf(file);
    const facts = () => {
      mkdirSync(meta);
      return { ...told, columns: [], serverTimes: [] };
    };
    try {
      const error = await failureOf(() => runExport(plan(undefined, { meta: facts })));
      assertFailure(error, {
        kind: 'local',
        says: /list\.csv\.meta\.json cannot be written: it is a folder; .*list\.csv itself is complete$/,
      });
      assert.equal(error.hint, undefined);
      assert.equal(readFileSync(file, 'utf8'), rows);
      rmSync(meta, { recursive: true });
      // What could not be noted as relctl's own either has to be forced.
      rmSync(file);
      const lost = plan(undefined, { meta: facts, target: { registry: `${file}.part/none` } });
      assert.equal((await failureOf(() => runExport(lost))).hint, '--force');
    } finally {
      rmSync(meta, { recursive: true });
    }
  });

  it('does not write a file again that was removed while it ran', async () => {
    await runExport(plan());
    const error = await failureOf(() => runExport(plan(() => rmSync(file))));
    assertFailure(error, { kind: 'local', says: /changed by another program/ });
    assert.ok(!existsSync(file));
  });

  describe('that was killed when its file was in its place', () => {
    /** Leaves the journal of a finished export, and its file in its place. */
    function finished(): void {
      const part = openPart(filesOf(file).part, { isGzip: false, mode: 0o600 });
      part.write(rows);
      const journal = openJournal(filesOf(file).journal, { job, startedAt: '2026-03-02T09:15:00.000Z' });
      const { length: bytes } = part;
      journal.add({
        ...page,
        page: 1,
        signature: 'a',
        bytes,
        sha256: part.digest(),
        rows: 2,
        ids: packIds(keysOfIds(['1', '2'], () => [0, 0])),
      });
      const seal = part.seal();
      utimesSync(filesOf(file).part, whole, whole);
      journal.finish({ ...seal, modifiedMs: whole * 1000 });
      part.close();
      journal.close();
      renameSync(filesOf(file).part, file);
    }

    it('is taken for finished, and nothing of it is left', () => {
      finished();
      assert.equal(resumeStateOf(plan()).resumeState, undefined);
      assert.deepEqual(
        readdirSync(here.folder).filter((name) => name.startsWith('list')),
        ['list.csv'],
      );
    });

    it('counts as finished when its file was removed since', () => {
      finished();
      rmSync(file);
      assert.deepEqual(resumeStateOf(plan()), { resumeState: undefined, damagedPages: 0 });
      assert.ok(!existsSync(filesOf(file).journal));
    });

    const others: Readonly<Record<string, () => void>> = {
      'its inode alone': () => {
        writeFileSync(file, 'theirs, and longer than what was written');
        utimesSync(file, 1, 1);
      },
      'inode and size': () => utimesSync(file, 1, 1),
      'inode and time': () => {
        const { atime, mtime } = statSync(file);
        writeFileSync(file, `${rows}3\n`);
        utimesSync(file, atime, mtime);
      },
      'size and time': () => {
        const { atime, mtime } = statSync(file);
        writeFileSync(here.at('list.copy'), rows);
        utimesSync(here.at('list.copy'), atime, mtime);
        renameSync(here.at('list.copy'), file);
      },
    };
    for (const [title, change] of Object.entries(others)) {
      it(`is not known by ${title}`, async () => {
        finished();
        change();
        const error = await failureOf(() => resumeStateOf(plan()));
        assertFailure(error, { kind: 'partial', says: /was interrupted after 1 pages/ });
        assert.ok(existsSync(filesOf(file).journal));
      });
    }
  });
});
