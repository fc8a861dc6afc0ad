import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { place } from '../../support/operations/place.js';
import { ends, inShell, type Run } from '../../support/relctl.js';
import { needs } from '../../support/skip.js';

describe('A text that is no UTF-8', () => {
  const here = place();
  const id = '00000000-0020-4000-8000-000000000001';
  const update = 'relctl product update 00001 --yes';
  const run = (line: string): Promise<Run> => inShell(line, here.env);
  const refused = async (line: string, name: string): Promise<void> => {
    const before = here.digest();
    const { code, stdout, stderr } = await run(line);
    assert.deepEqual([code, stdout], [2, ''], line);
    assert.ok(stderr.startsWith(`Error: ${name} is not UTF-8`), stderr);
    assert.equal(here.digest(), before);
  };

  before(function () {
    needs(this, 'bash');
  });

  it('is refused as an argument, which is named by its flag, and as a variable', async () => {
    await refused(`${update} --name $'Caf\\xe9'`, '--name');
    await refused(`${update} --name=$'Caf\\xe9 \\xef\\xbf\\xbd'`, '--name');
    await refused(`relctl find $'Caf\\xe9'`, 'argument 2');
    const files = readdirSync(here.folder);
    await refused(`cd ${here.folder}; relctl mark list --output-file $'out\\xe9.csv'`, '--output-file');
    assert.deepEqual(readdirSync(here.folder), files);
    await refused(`RELCTL_OUTPUT=$'\\xe9' relctl mark list`, 'RELCTL_OUTPUT');
    await refused(`https_proxy=$'http://caf\\xe9.example' relctl mark list`, 'https_proxy');
    await refused(`XDG_STATE_HOME=/tmp/$'\\xe9' relctl mark list`, 'XDG_STATE_HOME');
    await ends(run(`NAME_OF_HERE=$'Caf\\xe9' relctl mark list --limit 1 -o json`), 0);
  });

  it('is told from U+FFFD that was meant', async () => {
    const { stdout } = await ends(run(`${update} --name $'Caf\\xef\\xbf\\xbd' --envelope`), 0);
    assert.match(stdout, /<Name>Caf\ufffd<\/Name>/);
  });

  it('is refused as a secret of a variable, whose value is not shown', async () => {
    const { code, stderr } = await run(
      `SECRET_HERE=$'gehe\\xefm' relctl mark list --set apiKey=env:SECRET_HERE || SECRET_HERE=$'gehe\\xefm' relctl profile edit local --api-key-from env:SECRET_HERE && SECRET_HERE=$'gehe\\xefm' relctl mark list`,
    );
    assert.equal(code, 3);
    assert.match(stderr, /the environment variable SECRET_HERE is not UTF-8 text/);
    assert.doesNotMatch(stderr, /gehe/);
  });

  it('is refused in --input', async () => {
    const file = here.fresh('input.json');
    writeFileSync(
      file,
      Buffer.from(`{"activityId":"${id}","fieldValues":[{"Id":"${id}","Value":"Caf\u00e9"}]}`, 'latin1'),
    );
    const sent = await here.run(['call', 'ActivityUpdate', '--input', file, '--yes']);
    assert.equal(sent.code, 2);
    assert.match(sent.stderr, /input\.json is not UTF-8: convert it/);
    assert.ok(existsSync(file));
  });
});
