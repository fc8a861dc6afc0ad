import { recordOfRow } from '../../src/client/rows/row.js';
import assert from 'node:assert/strict';
import type { RecordValue } from '../../src/core/values/value.js';
import type { ListAnswer } from '../../src/client/list-answer.js';
import { rowsAnswered } from './soap/answered-rows.js';
import { readPages, type Claim } from '../../src/client/pages.js';
import type { FetchPage, PagingPlan } from '../../src/client/paging.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { IdDigest, untilAgreed } from '../../src/lists/export/export-run.js';
import { lots } from './cases.js';

const quirks = [
  ...['none', 'page number ignored', 'last page repeated', 'shuffles rows', 'order by page', 'leaves a list out'],
  'gives an empty list amid the others',
] as const;
type Quirk = (typeof quirks)[number];

/** A row, and what it holds now. */
interface Row {
  readonly id: string;
  revision: number;
}

/** A service whose rows come, go, move and change while they are read. */
class Restless {
  readonly firstPage: 0 | 1;
  readonly pageSize: number;
  readonly quirk: Quirk;
  /** Rows that were there from the first call to the last. */
  readonly lasting = new Set<string>();
  deleted = 0;
  calls = 0;
  /** The page in whose place something else came, once that was so. */
  failedAt = Number.POSITIVE_INFINITY;
  readonly #draw: (below: number) => number;
  readonly #cap: number;
  /** Pages begin where the size that was asked for says, not the size that the service gives. */
  readonly #countsAsked: boolean;
  readonly #failingPage: number;
  readonly #restlessness: number;
  readonly #mayDelete: boolean;
  #rows: Row[];
  #made = 0;

  constructor(seed: number) {
    const draw = lots(seed);
    this.#draw = draw;
    this.firstPage = draw(2) === 0 ? 0 : 1;
    this.pageSize = 1 + draw(12);
    this.#cap = 1 + draw(16);
    this.quirk = draw(3) > 0 ? 'none' : (quirks[draw(quirks.length)] ?? 'none');
    this.#restlessness = draw(4) * 15;
    this.#mayDelete = draw(2) === 0;
    this.#rows = Array.from({ length: draw(90) }, () => this.#newRow());
    for (const { id } of this.#rows) this.lasting.add(id);
    this.#countsAsked = draw(2) === 0;
    this.#failingPage = this.firstPage + draw(6);
  }

  #newRow(): Row {
    this.#made += 1;
    return { id: `id-${this.#made}`, revision: 0 };
  }

  #insert(): void {
    this.#rows.splice(this.#draw(this.#rows.length + 1), 0, this.#newRow());
  }

  #delete(): void {
    const [gone] = this.#rows.splice(this.#draw(Math.max(1, this.#rows.length)), 1);
    if (gone === undefined) return;
    this.lasting.delete(gone.id);
    this.deleted += 1;
  }

  #move(): void {
    const [moved] = this.#rows.splice(this.#draw(Math.max(1, this.#rows.length)), 1);
    if (moved === undefined) return;
    this.#rows.splice(this.#draw(this.#rows.length + 1), 0, moved);
    // A row often moves because it changed.
    if (this.#draw(2) === 0) moved.revision += 1;
  }

  #stir(): void {
    while (this.#draw(100) < this.#restlessness) {
      const kind = this.#draw(this.#mayDelete ? 3 : 2);
      if (kind === 0 && this.#made < 400) this.#insert();
      else if (kind === 2) this.#delete();
      else this.#move();
    }
  }

  #order(pageNumber: number): Row[] {
    if (this.quirk === 'shuffles rows') {
      const drawn = this.#rows.map((row) => ({ row, by: this.#draw(1_000_000) }));
      return drawn.sort((left, right) => left.by - right.by).map(({ row }) => row);
    }
    // A query without a unique order: each page has an order of its own, the same one each time.
    if (this.quirk === 'order by page' && pageNumber % 2 === 0) return [...this.#rows].reverse();
    return this.#rows;
  }

  #page(pageNumber: number, asked: number): Row[] {
    const most = Math.min(asked, this.#cap);
    const step = this.#countsAsked ? asked : most;
    const lastPage = Math.max(0, Math.ceil(this.#rows.length / step) - 1);
    const wanted = this.quirk === 'page number ignored' ? 0 : pageNumber - this.firstPage;
    const index = this.quirk === 'last page repeated' ? Math.min(wanted, lastPage) : wanted;
    return this.#order(pageNumber).slice(index * step, index * step + most);
  }

  /** True when rows follow behind a page: a list that is cut at its very end cannot be told from a whole one. */
  #goesOn(pageNumber: number, asked: number): boolean {
    return this.#page(pageNumber, asked).length > 0 && this.#page(pageNumber + 1, asked).length > 0;
  }

  #answer(pageNumber: number, asked: number): ListAnswer {
    const isFailing = pageNumber === this.#failingPage;
    if (isFailing && this.quirk === 'leaves a list out') {
      this.failedAt = pageNumber;
      return { ...rowsAnswered([]), state: 'absent' };
    }
    if (isFailing && this.quirk === 'gives an empty list amid the others' && this.#goesOn(pageNumber, asked)) {
      this.failedAt = pageNumber;
      return rowsAnswered([]);
    }
    return rowsAnswered(this.#page(pageNumber, asked).map(({ id, revision }): RecordValue => ({ Id: id, revision })));
  }

  readonly fetch: FetchPage = (pageNumber, _signal, asked) => {
    this.calls += 1;
    if (this.calls > 5000) return Promise.reject(new Error('the walk has no end'));
    if (this.calls > 1) this.#stir();
    return Promise.resolve({ ...this.#answer(pageNumber, asked), attempts: 1 });
  };
}

/** The Id of a row of the model; undefined for one without. */
export const idOf = ({ Id }: RecordValue): string | undefined => (typeof Id === 'string' ? Id : undefined);

const planFor = ({ firstPage, pageSize }: Restless, prefetch: number): PagingPlan => ({
  firstPage,
  pageSize,
  prefetch,
  idOf,
  signal: new AbortController().signal,
});

/** What a walk brought. */
export interface Walked {
  readonly ids: readonly string[];
  /** Ids with what the rows held. */
  readonly contents: readonly string[];
  readonly claim: Claim;
}

async function walked(service: Restless, prefetch: number): Promise<Walked> {
  const rows: RecordValue[] = [];
  const pages = readPages(service.fetch, planFor(service, prefetch));
  for (let step = await pages.next(); ; step = await pages.next()) {
    if (step.done === true) {
      return {
        ids: rows.map((row) => idOf(row) ?? ''),
        contents: rows.map((row) => JSON.stringify(row)),
        claim: step.value,
      };
    }
    rows.push(...step.value.records.map(recordOfRow));
  }
}

/** What a walk came to, or the kind and code of its failure. */
async function outcome<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof RelctlError) return `${thrown.kind} ${thrown.reportedCode ?? ''}`;
    throw thrown;
  }
}

const lostOf = (service: Restless, ids: readonly string[]): number => {
  const read = new Set(ids);
  return [...service.lasting].filter((id) => !read.has(id)).length;
};

const endless = new Set([
  'bad-answer page-repeated',
  'bad-answer page-stale',
  'partial page-repeated',
  'partial page-stale',
]);

/** An answer without its list, and rows behind a page that had none: the list did not end where it seemed to. */
const noEnd = new Set(['bad-answer list-absent', 'partial list-absent', 'partial rows-behind-end']);

/**
 * Walks once through each of so many lists whose rows come, go and move. Asserts that a walk ends, that it writes no row
 * twice, and that it loses none unsaid but for those that a deletion hid.
 */
export async function walkRestlessLists(runs: number): Promise<void> {
  const seen = { ended: 0, refused: 0, cut: 0, lost: 0, hidden: 0, changed: 0 };
  for (let seed = 1; seed <= runs; seed += 1) {
    const service = new Restless(seed);
    const result = await outcome(walked(service, seed % 4));
    if (typeof result === 'string') {
      assert.ok(endless.has(result) || noEnd.has(result), `seed ${seed}: ${result}`);
      seen[noEnd.has(result) ? 'cut' : 'refused'] += 1;
      continue;
    }
    const { ids, contents, claim } = result;
    // The page behind the end was looked at; further ones may have been asked for ahead.
    const isUnseen = service.failedAt > service.firstPage + claim.pages;
    assert.ok(isUnseen, `seed ${seed}: ${service.quirk}, and yet it ended well`);
    const lost = lostOf(service, ids);
    assert.equal(new Set(contents).size, contents.length, `seed ${seed}: a row came twice as it was`);
    assert.equal(new Set(ids).size, ids.length - claim.changed, `seed ${seed}: a row came twice unsaid`);
    assert.equal(claim.rows, ids.length, `seed ${seed}: the claim counts other rows`);
    // Each row that the list lost stands against one that came twice, or one that was deleted after it was read.
    assert.ok(
      lost <= claim.duplicates + claim.changed + service.deleted,
      `seed ${seed}: ${lost} rows lost, ${claim.duplicates + claim.changed} said`,
    );
    seen.ended += 1;
    seen.lost += lost > 0 ? 1 : 0;
    seen.hidden += lost > claim.duplicates + claim.changed ? 1 : 0;
    seen.changed += claim.changed > 0 ? 1 : 0;
  }
  const isTried = seen.ended > runs / 2 && seen.refused > runs / 100 && seen.cut > (3 * runs) / 100;
  assert.ok(isTried && seen.changed > runs / 20 && seen.lost > runs / 20 && seen.hidden > 0, JSON.stringify(seen));
}

/** Repeats passes through each of so many such lists until two agree. Asserts that then no row is lost. */
export async function agreeOnRestlessLists(runs: number): Promise<void> {
  const seen = { agreed: 0, gaveUp: 0, refused: 0, changing: 0 };
  for (let seed = 1; seed <= runs; seed += 1) {
    const service = new Restless(seed);
    const pass = async (): Promise<Walked & { readonly digest: string; readonly duplicates: number }> => {
      const done = await walked(service, seed % 4);
      const digest = new IdDigest();
      for (const id of done.ids) digest.add(id);
      return { ...done, digest: digest.text, duplicates: done.claim.duplicates };
    };
    const result = await outcome(untilAgreed(pass, () => undefined));
    if (typeof result === 'string') {
      const isKnown = endless.has(result) || noEnd.has(result) || result === 'partial inconsistent';
      assert.ok(isKnown, `seed ${seed}: ${result}`);
      seen[result === 'partial inconsistent' ? 'gaveUp' : 'refused'] += 1;
      continue;
    }
    assert.equal(lostOf(service, result.ids), 0, `seed ${seed}: ${service.quirk}, ${result.passes} passes`);
    assert.equal(new Set(result.ids).size, result.ids.length, `seed ${seed}: a row came twice`);
    seen.agreed += 1;
    seen.changing += result.passes > 2 ? 1 : 0;
  }
  const isTried = seen.agreed > runs / 10 && seen.gaveUp > runs / 10;
  assert.ok(isTried && seen.refused > runs / 100 && seen.changing > runs / 100, JSON.stringify(seen));
}
