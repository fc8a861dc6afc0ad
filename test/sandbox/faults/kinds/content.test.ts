import assert from 'node:assert/strict';
import { contentFaults } from '../../../../src/sandbox/faults/kinds/content.js';
import { oddDates } from '../../../../src/sandbox/faults/kinds/content.js';
import {
  faultyPlace,
  idsIn,
  page,
  relation,
  soap,
  type Asking,
  type FaultyPlace,
  type Heard,
} from '../../../support/sandbox/faults/place.js';
import { argv } from '../../../support/argv.js';

describe('A fault of content', () => {
  let place: FaultyPlace;
  let plain: Heard;
  let activities: Asking;
  before(async () => {
    place = await faultyPlace(30);
    plain = await place.under([], page(1));
    const [entityTypeId] = place.rows('SELECT "EntityTypeId" FROM "PvActivityData" LIMIT 1')[0] ?? [];
    activities = soap(
      'ActivitySearchByField',
      `<activityEntityTypeId>${String(entityTypeId)}</activityEntityTypeId><fieldValues /><pageNumber>1</pageNumber>` +
        '<pageSize>4</pageSize><includeFields>false</includeFields><includeCounters>false</includeCounters>',
    );
  });
  after(() => place.close());

  const proved = new Set<string>();
  const proves = (name: string, promise: string, test: () => Promise<void>): void => {
    proved.add(name);
    it(`${name} ${promise}`, test);
  };
  /** Names of the elements right within the first record of a kind. */
  const members = (text: string, record: string): readonly string[] => {
    const [, inner = ''] = new RegExp(`<${record}>(.*?)</${record}>`, 's').exec(text) ?? [];
    return [...inner.matchAll(/<([A-Za-z]+)(?: xsi:nil="true")?(?: \/>|>[^<]*<\/\1>)/g)].map(([, name = '']) => name);
  };

  proves('announced-charset', 'changes what is said and not what is sent', async () => {
    const heard = await place.under(['announced-charset=iso-8859-1'], page(1));
    assert.equal(heard.headers['content-type'], 'text/xml; charset=iso-8859-1');
    assert.equal(heard.text, plain.text);
    assert.equal((await place.under(['announced-charset=none'], page(1))).headers['content-type'], 'text/xml');
  });

  proves('real-charset', 'changes what is sent and not what is said', async () => {
    const latin = await place.under(['real-charset=latin1'], page(1));
    assert.equal(latin.headers['content-type'], 'text/xml; charset=utf-8');
    assert.match(latin.body.toString('latin1'), /Joëlle/);
    assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(latin.body), TypeError);
    const wide = await place.under(['real-charset=utf16le'], page(1));
    assert.equal(wide.body.toString('utf16le'), plain.text);
  });

  proves('bom', 'stands before the declaration', async () => {
    const heard = await place.under(['bom'], page(1));
    assert.equal(heard.text, `\ufeff${plain.text}`);
  });

  proves('unknown-elements', 'are in each record and in the result', async () => {
    const heard = await place.under(['unknown-elements'], page(1));
    const unknown = '<NotInTheContract>unknown</NotInTheContract>';
    assert.equal(heard.text.split(`${unknown}</PvRelationData>`).length, 11);
    assert.ok(heard.text.includes(`${unknown}</RelationGetAllResult>`));
    assert.equal(heard.text.replaceAll(unknown, ''), plain.text);
  });

  proves('missing-fields', 'are all required ones but Id, or the one that is named', async () => {
    const heard = await place.under(['missing-fields'], page(1));
    assert.deepEqual(members(heard.text, 'PvRelationData'), argv`Id SortingName DisplayName FieldValues CounterValues`);
    const named = await place.under(['missing-fields=Id'], page(1));
    assert.deepEqual(idsIn(named), []);
    assert.equal(named.text, plain.text.replace(/<PvRelationData><Id>[^<]*<\/Id>/g, '<PvRelationData>'));
  });

  proves('reordered-members', 'are in the reverse order, and all there', async () => {
    const heard = await place.under(['reordered-members'], page(1));
    const [usual, turned] = [members(plain.text, 'PvRelationData'), members(heard.text, 'PvRelationData')];
    assert.deepEqual(turned, [...usual].reverse());
    assert.equal(heard.body.length, plain.body.length);
  });

  proves('nested', 'is nil where it was populated', async () => {
    assert.match((await place.under([], relation())).text, /<FieldValues><Items>/);
    const heard = await place.under(['nested=nil'], relation());
    assert.match(heard.text, /<FieldValues xsi:nil="true" \/><CounterValues xsi:nil="true" \/><\/Relation>/);
  });

  proves('nested', 'is populated where it was nil', async () => {
    assert.match((await place.under([], activities)).text, /<FollowUp xsi:nil="true" \/>/);
    const heard = await place.under(['nested=populated'], activities);
    assert.doesNotMatch(heard.text, /xsi:nil/);
    assert.match(heard.text, /<FollowUp><Start>2026-02-28T09:30:00<\/Start>/);
    assert.match(heard.text, /<CounterValues><PvCounterData>.*<\/PvCounterData><PvCounterData>/);
  });

  proves('nested', 'is an empty element where it is empty, and stays nil where it is nil', async () => {
    const behind = page(9);
    assert.match((await place.under([], behind)).text, /<Relations xsi:nil="true" \/>/);
    assert.match((await place.under(['nested=empty'], behind)).text, /<Relations \/>/);
    const nil = await place.under(['nested=empty'], activities);
    assert.match(nil.text, /<FollowUp xsi:nil="true" \/>/);
  });

  proves('control-characters', 'come by reference at the end of each text', async () => {
    const heard = await place.under(['control-characters'], page(1));
    const emptied = /<([A-Za-z]+)>&#x1F;<\/\1>/g;
    assert.equal(heard.text.replace(emptied, '<$1 />').replaceAll('&#x1F;</', '</'), plain.text);
    assert.match(heard.text, /<DisplayName>Joëlle Veen&#x1F;<\/DisplayName>/);
    assert.match((await place.under(['control-characters=0b'], page(1))).text, /Joëlle Veen&#xB;</);
  });

  proves('odd-dates', 'are drawn from a list, or the one that is given', async () => {
    const moments = (heard: Heard): readonly string[] =>
      [...heard.text.matchAll(/<ViewSortingDate>([^<]*)</g)].map(([, moment = '']) => moment);
    const drawn = moments(await place.under(['odd-dates;seed=4'], activities));
    assert.equal(drawn.length, 4);
    assert.deepEqual(
      drawn.filter((moment) => !oddDates.includes(moment)),
      [],
    );
    assert.deepEqual(moments(await place.under(['odd-dates;seed=4'], activities)), drawn);
    const given = moments(await place.under(['odd-dates=0000-00-00'], activities));
    assert.deepEqual([...new Set(given)], ['0000-00-00']);
  });

  it('leaves faults and refusals as they are', async () => {
    const wrong = {
      ...page(1),
      body: page(1).body?.replace('<pageSize>10</pageSize>', '<pageSize>x</pageSize>') ?? '',
    };
    const usual = await place.under([], wrong);
    assert.equal(usual.status, 500);
    assert.equal((await place.under(['unknown-elements,reordered-members,odd-dates'], wrong)).text, usual.text);
  });

  it('combines with all others of its family', async () => {
    const heard = await place.under(
      ['bom,unknown-elements,missing-fields,reordered-members,nested=populated,control-characters,odd-dates'],
      page(1),
    );
    assert.equal(heard.status, 200);
    assert.deepEqual(idsIn(heard), []);
    assert.match(
      heard.text,
      /&#x1F;<\/Info><Id>[0-9a-f-]{36}<\/Id><NotInTheContract>unknown<\/NotInTheContract><\/PvRelationData>/,
    );
  });

  it('is proved here, whichever it is', () => {
    assert.deepEqual([...proved].sort(), contentFaults.map(({ name }) => name).sort());
  });
});
