import assert from 'node:assert/strict';
import {
  checkedSetting,
  editWords,
  settingNamed,
  settingEntries,
  settings,
  type Setting,
  type SettingName,
} from '../../../src/profiles/settings/settings.js';
import { formatNames } from '../../../src/formats/writers/index.js';
import { assertFailure } from '../../support/profiles/place.js';
import { failureOf } from '../../support/thrown.js';
import { argv } from '../../support/argv.js';

const check = (name: SettingName, text: string): unknown => checkedSetting(name, text, `--set ${name}`);

describe('Every setting', () => {
  for (const [name, setting] of settingEntries) {
    it(`${name} has an environment variable and a sentence about it`, () => {
      assert.match(setting.environment, /^RELCTL_[A-Z]+(?:_[A-Z]+)*$/);
      assert.match(setting.doc, /^[A-Z].*\.$/);
      assert.equal(setting.form === 'choice', setting.choices !== undefined);
      assert.equal(setting.form === 'whole' || setting.form === 'duration', setting.bounds !== undefined);
    });
  }

  it('has a variable of its own', () => {
    const all = settingEntries.map(([, setting]: readonly [string, Setting]) => setting);
    assert.equal(new Set(all.map(({ environment }) => environment)).size, all.length);
  });

  it('has a default that its own check takes', () => {
    for (const [name, { fallback }] of settingEntries) {
      if (fallback !== undefined) assert.equal(check(name, String(fallback)), fallback);
    }
  });

  it('is a secret when it can open something', () => {
    const secret = settingEntries.filter(([, { isSecret }]) => isSecret === true).map(([name]) => name);
    assert.deepEqual(secret, argv`apiKey password headers gatewayPassword gatewayToken proxy clientKeyPassphrase`);
  });

  it('of the output format has exactly the formats that can go to a terminal', () => {
    assert.deepEqual(
      settings.output.choices,
      formatNames.filter((name) => name !== 'xlsx' && name !== 'parquet'),
    );
  });
});

describe('settingNamed', () => {
  it('takes a name in any case of letters', () => assert.equal(settingNamed('PAGESIZE', '--set'), 'pageSize'));

  it('refuses another, with the nearest one', async () => {
    const error = await failureOf(() => settingNamed('pagesiz', '--set'));
    assertFailure(error, { kind: 'usage', says: /^--set: there is no setting 'pagesiz'$/ });
    assert.deepEqual(error.correction, { given: 'pagesiz', meant: 'pageSize', otherwise: 'relctl help profiles' });
  });
});

describe('editWords', () => {
  it('are the flag of a setting that has one, else --set, and stdin for a secret', () => {
    assert.deepEqual(
      (['baseUrl', 'retries', 'apiKey', 'gatewayToken'] as const).map((name) => editWords(name, '3')),
      ['--base-url 3', '--set retries=3', '--api-key-stdin', '--secret gatewayToken=-'],
    );
  });
});

describe('checkedSetting', () => {
  const guid = '00000000-0000-4000-8000-000000000002';
  const good: readonly (readonly [SettingName, string, unknown])[] = [
    ['baseUrl', 'https://crm.example/app', 'https://crm.example/app'],
    ['baseUrl', 'http://127.0.0.1:8050', 'http://127.0.0.1:8050'],
    ['databaseId', guid, guid],
    ['pageSize', '250', 250],
    ['firstPage', '0', 0],
    ['retries', '0', 0],
    ['soapVersion', '1.1', '1.1'],
    ['output', 'JSON', 'json'],
    ['timeout', '90', 90],
    ['timeout', '1m30s', 90],
    ['timeout', '1d', 86_400],
    ['idleTimeout', '2M', 120],
    ['listEnd', 'Absent', 'absent'],
    ['databaseId', '{6F9619FF-8B86-D011-B42D-00C04FC964FF}', '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
    ['insecureTls', 'yes', true],
    ['insecureTls', 'Off', false],
    ['insecureTls', 'FALSE', false],
    ['protected', '1', true],
    ['protected', '0', false],
    ['userName', ' any text = é ', ' any text = é '],
    ['caFile', './ca.pem', './ca.pem'],
  ];
  for (const [name, text, value] of good) {
    it(`takes ${JSON.stringify(text)} for ${name}`, () => assert.equal(check(name, text), value));
  }

  const bad: readonly (readonly [SettingName, string, RegExp])[] = [
    ['baseUrl', 'crm.example', /^--set baseUrl takes an http or https address, not 'crm\.example'$/],
    ['baseUrl', 'file:///etc/passwd', /not 'file:/],
    ['baseUrl', 'javascript:alert(1)', /http or https/],
    ['baseUrl', '', /not ''/],
    ['databaseId', 'none', /^--set databaseId takes a GUID, not 'none'$/],
    ['pageSize', '0', /^--set pageSize takes a whole number from 1 to 1000000, not '0'$/],
    ['pageSize', '-1', /not '-1'/],
    ['pageSize', '1e3', /not '1e3'/],
    ['pageSize', '10.0', /not '10\.0'/],
    ['pageSize', '', /not ''/],
    ['pageSize', '99999999999999999999', /not '9+'/],
    ['firstPage', '2', /from 0 to 1, not '2'/],
    ['timeout', '0', /takes a length of time such as 30s or 5m, from 1s to 1d in whole seconds, not '0'$/],
    ['timeout', '25h', /from 1s to 1d in whole seconds, not '25h'$/],
    ['connectTimeout', '1500ms', /from 1s to 1h in whole seconds, not '1500ms'$/],
    ['connectTimeout', '5min', /not '5min'$/],
    ['soapVersion', '1.3', /^--set soapVersion takes 1\.1, 1\.2, not '1\.3'$/],
    ['output', 'xml', /takes table, card, json, .* not 'xml'/],
    ['listEnd', 'emty', /takes empty, absent, not 'emty'/],
    [
      'insecureTls',
      'maybe',
      /^--set insecureTls takes true or false, yes or no, y or n, on or off, 1 or 0, not 'maybe'$/,
    ],
  ];
  for (const [name, text, says] of bad) {
    it(`refuses ${JSON.stringify(text)} for ${name}, naming it`, async () => {
      const error = await failureOf(() => check(name, text));
      assertFailure(error, { kind: 'usage', says });
      assert.equal(error.facts.path, `--set ${name}`);
    });
  }

  it('never shows a secret that it refuses', async () => {
    assertFailure(await failureOf(() => check('apiKey', 'S3cretKey')), {
      kind: 'usage',
      says: /^--set apiKey takes a GUID such as 6f9619ff-8b86-d011-b42d-00c04fc964ff$/,
      hides: ['S3cretKey'],
    });
  });

  it('refuses what would be lost of an address, and gives the address without it', async () => {
    const refused = (url: string): ReturnType<typeof failureOf> => failureOf(() => check('baseUrl', url));
    for (const [url, rest] of [
      ['https://crm.example/app?tenant=7', 'https://crm.example/app'],
      ['https://crm.example/V1/service.asmx?WSDL', 'https://crm.example/V1/service.asmx'],
      ['https://crm.example/V1/service.asmx?op=RelationGet', 'https://crm.example/V1/service.asmx'],
      ['https://crm.example/app#top', 'https://crm.example/app'],
    ] as const)
      assert.equal((await refused(url)).hint, `--set baseUrl=${rest}`);
    assert.equal(check('baseUrl', 'https://crm.example/a.asmx?tenant=7'), 'https://crm.example/a.asmx?tenant=7');
    assert.match(
      (await refused('https://me:x@crm.example')).message,
      /gatewayUser and gatewayPassword for the login of a gateway/,
    );
  });

  it('refuses a password within the address, without showing it', async () => {
    for (const url of argv`
      https://me:S3cret@crm.example htps://me:S3cret@crm.example me:S3cret@crm.example https://me:S3cret@:x
    `)
      assertFailure(await failureOf(() => check('baseUrl', url)), {
        kind: 'usage',
        says: /^--set baseUrl /,
        hides: ['S3cret'],
      });
  });
});
