import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ends, home, relctl } from '../../support/relctl.js';

describe('doctor', () => {
  it('ends with the exit code of the first thing that is wrong, and shows no secret', async () => {
    const place = home();
    const folder = join(place.folder, 'config/relctl');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.json'), '{"profiles":{"a":{"password":"hunter2"', { mode: 0o600 });
    const run = await ends(relctl(['doctor'], { env: place.env }), 3);
    assert.match(run.stdout, /profile store\s+wrong/);
    assert.doesNotMatch(run.stdout + run.stderr, /hunter2/);
    // What needs a profile is not wrong for the same reason once more.
    assert.match(run.stdout, /secrets\s+skipped/);
    assert.match(run.stdout, /\n7 checks: 5 ok, 1 wrong, 1 skipped\. First: \$\{EDITOR:-vi\} .*\n$/);
    place.remove();
  });

  it('names a folder that cannot be made, and says why in words', async () => {
    const place = home();
    const file = join(place.folder, 'file');
    writeFileSync(file, '');
    const state = join(file, 'state');
    const run = await relctl(['doctor', '--profile', 'sandbox', '-o', 'json'], {
      env: { ...place.env, XDG_STATE_HOME: state },
    });
    assert.equal(run.code, 10);
    const findings = JSON.parse(run.stdout) as { Check: string; Detail: string }[];
    const found = findings.find(({ Check }) => Check === 'state folder');
    assert.equal(found?.Detail, `${join(state, 'relctl')} cannot be written: part of the path is not a folder`);
    const added = await relctl(['profile', 'add', 'a', '--base-url', 'http://crm.example', '--namespace', 'urn:n'], {
      env: { ...place.env, XDG_CONFIG_HOME: state },
    });
    assert.equal(added.code, 10);
    assert.match(added.stderr, /^Error: the profiles in \S+ cannot be written: part of the path is not a folder\n/);
    place.remove();
  });

  it('names the secrets that are plain text, and the profile without any', async () => {
    const place = home();
    const added = ['profile', 'add', 'far', '--base-url', 'https://crm.example', '--namespace', 'urn:n'];
    await relctl(added, { env: place.env });
    const none = await ends(relctl(['doctor'], { env: place.env }), 3);
    assert.match(none.stdout, /secrets +wrong +profile 'far' has no apiKey/);
    const edit = ['profile', 'edit', 'far', '--api-key-stdin'];
    await relctl(edit, { env: place.env, input: '00000000-0000-4000-8000-000000000011' });
    const { stdout } = await ends(relctl(['doctor'], { env: place.env }), 0);
    assert.match(stdout, /apiKey of profile 'far' can be read; as plain text in the profile file: apiKey/);
    assert.match(stdout, /\n7 checks: 7 ok\.\n$/);
    place.remove();
  });
});
