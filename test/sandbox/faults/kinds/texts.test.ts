import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { faultKinds, faultNames, readSpec, scheduleKeys } from '../../../../src/sandbox/faults/spec.js';
import texts from '../../../../src/sandbox/faults/kinds/texts.json' with { type: 'json' };

const page = readFileSync(new URL('../../../../docs/sandbox.md', import.meta.url), 'utf8');

describe('The table of faults', () => {
  it('has names that cannot be mistaken for one another, for arguments, or for schedules', () => {
    const names = faultKinds.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    const others = [...faultKinds.flatMap(({ args }) => Object.keys(args)), ...Object.keys(scheduleKeys)];
    assert.deepEqual(
      names.filter((name) => others.includes(name)),
      [],
    );
    assert.deepEqual(
      [...names, ...others].filter((name) => !/^[a-z]+(?:-[a-z]+)*$/.test(name)),
      [],
    );
  });

  for (const { name, example, args, value, words } of faultKinds) {
    it(`describes ${name} with an example that works, presets that are of their form, and words`, () => {
      const spec = readSpec(example);
      assert.match(example, new RegExp(`^${name}\\b|,${name}\\b`));
      assert.ok(spec.effects.length > 0);
      for (const { form, preset, words: meaning } of [
        ...Object.values(args),
        ...(value === undefined ? [] : [value]),
      ]) {
        if (preset !== undefined) assert.notEqual(form.read(preset), undefined);
        assert.match(meaning, /^\S.*\.$/s);
      }
      assert.match(words, /^[A-Z].*\.$/s);
      assert.ok(page.includes(`#### ${name}\n`) && page.includes(`--fault '${example}'`));
      assert.match(faultNames(), new RegExp(`\\b${name}\\b`));
    });
  }

  it('has no words of a fault, a value or an argument that is not there', () => {
    const said = Object.entries<{ readonly words: string; readonly value?: string; readonly args?: object }>(texts).map(
      ([name, { value, args = {} }]) => [name, value !== undefined, Object.keys(args)],
    );
    const known = faultKinds.map(({ name, value, args }) => [name, value !== undefined, Object.keys(args)]);
    assert.deepEqual(said, known);
  });

  it('is documented with examples that can all be read', () => {
    const quoted = [...page.matchAll(/--fault '([^']+)'|x-sandbox-fault: ([^`]+)`|"spec":"([^"]+)"/g)];
    assert.ok(quoted.length > faultKinds.length);
    for (const [, flag, header, json] of quoted) assert.doesNotThrow(() => readSpec(flag ?? header ?? json ?? ''));
  });
});
