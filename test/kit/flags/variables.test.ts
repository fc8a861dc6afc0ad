import assert from 'node:assert/strict';
import { option, switchFlag } from '../../../src/kit/flags/define.js';
import { wholeOption } from '../../../src/kit/flags/kinds.js';
import { withVariables } from '../../../src/kit/command.js';

const declared = {
  silent: switchFlag({ env: 'RELCTL_SILENT' }),
  many: wholeOption({ least: 1, most: 9 })({ env: 'RELCTL_MANY' }),
  plain: switchFlag({}),
  timeout: option((text) => text)({ env: 'RELCTL_TIMEOUT' }),
  profile: option((text) => text)({ env: 'RELCTL_PROFILE' }),
};
const unset = { silent: false, many: undefined, plain: false, timeout: undefined, profile: undefined };
const fromDefault = { silent: { setFromDefault: true }, plain: { setFromDefault: true } };

const values = (
  variables: Readonly<Record<string, string>>,
  given: Partial<Record<keyof typeof declared, unknown>> = {},
): unknown => {
  const metadata = Object.entries(fromDefault).filter(([name]) => !(name in given));
  return withVariables(
    declared,
    { flags: { ...unset, ...given }, metadata: { flags: Object.fromEntries(metadata) } },
    variables,
  );
};

describe('The variable of a flag', () => {
  it('stands for the flag where the command line does not have it', () => {
    assert.deepEqual(values({}), unset);
    assert.deepEqual(values({ RELCTL_SILENT: 'yes', RELCTL_MANY: '3' }), { ...unset, silent: true, many: 3 });
  });

  it('is nothing to a flag that is given, whatever it holds', () => {
    assert.deepEqual(values({ RELCTL_SILENT: 'no' }, { silent: true }), { ...unset, silent: true });
    assert.deepEqual(values({ RELCTL_MANY: 'lots' }, { many: 4 }), { ...unset, many: 4 });
  });

  it('of yes or no has one form for each, in any case of letters', () => {
    for (const yes of ['1', 'true', 'yes', 'on', 'TRUE', 'Yes'])
      assert.deepEqual(values({ RELCTL_SILENT: yes }), { ...unset, silent: true });
    for (const no of ['0', 'false', 'no', 'off', 'No']) assert.deepEqual(values({ RELCTL_SILENT: no }), unset);
  });

  it('is refused by its name when its value is none', () => {
    const refused = (pattern: RegExp) => (thrown: unknown) => {
      const { kind, message } = thrown as { readonly kind: string; readonly message: string };
      assert.equal(kind, 'usage');
      return pattern.test(message);
    };
    for (const bad of ['maybe', '2', ' yes', ''])
      assert.throws(() => values({ RELCTL_SILENT: bad }), refused(/^RELCTL_SILENT takes true or false/));
    assert.throws(() => values({ RELCTL_MANY: '10' }), refused(/^RELCTL_MANY takes a whole number from 1 to 9/));
  });

  it('of a setting is left to the profile, which knows where its values come from', () => {
    assert.deepEqual(values({ RELCTL_TIMEOUT: '5', RELCTL_PROFILE: 'x' }), unset);
  });
});
