import assert from 'node:assert/strict';
import { pagingFaults } from '../../../../src/sandbox/faults/kinds/paging.js';
import { faultyPlace, idsIn, page, relation, type FaultyPlace } from '../../../support/sandbox/faults/place.js';

describe('A fault of paging', () => {
  let place: FaultyPlace;
  before(async () => {
    place = await faultyPlace(25);
  });
  after(() => place.close());

  const proved = new Set<string>();
  const proves = (name: string, promise: string, test: () => Promise<void>): void => {
    proved.add(name);
    it(`${name} ${promise}`, test);
  };

  /** The Ids of some pages of ten, as places in the list: 1 is the first relation. */
  const pages = async (
    spec: string,
    numbers: readonly number[],
    size = 10,
  ): Promise<readonly (readonly number[])[]> => {
    place.plan.clear();
    place.plan.add(spec);
    const found: (readonly number[])[] = [];
    for (const number of numbers) {
      const heard = await place.under([spec], page(number, size));
      assert.equal(heard.status, 200, heard.text);
      found.push(idsIn(heard).map((id) => place.ids.indexOf(id) + 1));
    }
    return found;
  };
  const range = (from: number, until: number): readonly number[] =>
    Array.from({ length: until - from + 1 }, (_, index) => from + index);

  proves('page-cap', 'gives so many rows a page, and pages of that size', async () => {
    assert.deepEqual(await pages('page-cap=8', [1, 2, 4, 5]), [range(1, 8), range(9, 16), [25], []]);
    assert.deepEqual(await pages('page-cap=8', [1], 3), [range(1, 3)]);
  });

  proves('page-cap', 'may begin its pages where the size asked for says, with rows between them on none', async () => {
    const plan = 'page-cap=8,offset=asked';
    assert.deepEqual(await pages(plan, [1, 2, 3, 4]), [range(1, 8), range(11, 18), range(21, 25), []]);
    assert.deepEqual(await pages(plan, [1, 2, 4], 8), [range(1, 8), range(9, 16), [25]]);
  });

  proves('list-end', 'has an absent, a nil or an empty list behind the last row', async () => {
    for (const [form, text] of [
      ['absent', /<RelationGetAllResult ?\/>/],
      ['nil', /<Relations xsi:nil="true" ?\/>/],
      ['empty', /<Relations ?\/>/],
    ] as const) {
      assert.deepEqual(await pages(`list-end=${form}`, [3]), [range(21, 25)]);
      assert.match((await place.under([`list-end=${form}`], page(4, 10))).text, text);
    }
  });

  proves('no-list', 'has one of those in the place of rows', async () => {
    assert.match((await place.under(['no-list=absent'], page(1, 10))).text, /<RelationGetAllResult ?\/>/);
    assert.match((await place.under(['no-list=nil'], page(1, 10))).text, /<Relations xsi:nil="true" ?\/>/);
  });

  proves('first-page', 'counts from 0', async () => {
    assert.deepEqual(await pages('first-page=0', [0, 1, 2, 3]), [range(1, 10), range(11, 20), range(21, 25), []]);
  });

  proves('first-page', 'counts from 1 with nothing before it', async () => {
    assert.deepEqual(await pages('first-page=1', [0, 1, 3, 4]), [[], range(1, 10), range(21, 25), []]);
  });

  proves('page-number-ignored', 'gives the first page whatever is asked', async () => {
    assert.deepEqual(await pages('page-number-ignored', [1, 2, 7]), [range(1, 10), range(1, 10), range(1, 10)]);
  });

  proves('last-page-repeated', 'has no end, however far one asks', async () => {
    assert.deepEqual(await pages('last-page-repeated', [2, 3, 4, 2_147_483_647]), [
      range(11, 20),
      range(21, 25),
      range(21, 25),
      range(21, 25),
    ]);
  });

  proves('rows-inserted', 'begins each page with rows of the one before, and ends', async () => {
    assert.deepEqual(await pages('rows-inserted=2', [1, 2, 3, 4, 5]), [
      range(1, 10),
      range(9, 18),
      range(17, 25),
      [25],
      [],
    ]);
  });

  proves('rows-deleted', 'begins each page too late, and ends', async () => {
    assert.deepEqual(await pages('rows-deleted=2', [1, 2, 3]), [range(1, 10), range(13, 22), [25]]);
    assert.deepEqual(await pages('rows-deleted=2', [4]), [[]]);
  });

  proves('unstable-order', 'within a page keeps its rows', async () => {
    const [first = [], second = []] = await pages('unstable-order=within;seed=2', [1, 2]);
    assert.notDeepEqual(first, range(1, 10));
    assert.deepEqual(
      [...first].sort((a, b) => a - b),
      range(1, 10),
    );
    assert.deepEqual(
      [...second].sort((a, b) => a - b),
      range(11, 20),
    );
  });

  proves('unstable-order', 'across pages lets rows change places over the seams, in some calls', async () => {
    place.plan.clear();
    place.plan.add('unstable-order;seed=3');
    const seen = new Set<string>();
    for (let call = 0; call < 12; call += 1) {
      const { headers = {}, body = '' } = page(2);
      const response = await fetch(`${place.url}/V1/service.asmx`, { method: 'POST', headers, body });
      const ids = [...(await response.text()).matchAll(/<PvRelationData><Id>([^<]*)</g)].map(([, id = '']) => id);
      seen.add(ids.map((id) => place.ids.indexOf(id) + 1).join(' '));
    }
    assert.deepEqual([...seen].sort(), ['10 12 13 14 15 16 17 18 19 21', '11 12 13 14 15 16 17 18 19 20']);
  });

  it('leaves what does not page alone', async () => {
    const plain = await place.under([], relation());
    for (const { example } of pagingFaults) assert.equal((await place.under([example], relation())).text, plain.text);
  });

  it('combines with others of its family', async () => {
    assert.deepEqual(await pages('page-cap=5,first-page=0', [0, 1]), [range(1, 5), range(6, 10)]);
    assert.deepEqual(await pages('page-cap=5,rows-inserted=1', [1, 2, 3]), [range(1, 5), range(5, 9), range(9, 13)]);
  });

  it('is proved here, whichever it is', () => {
    assert.deepEqual([...proved].sort(), pagingFaults.map(({ name }) => name).sort());
  });
});
