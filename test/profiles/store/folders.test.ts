import assert from 'node:assert/strict';
import { foldersOf } from '../../../src/profiles/store/folders.js';

describe('foldersOf', () => {
  it('is below the home folder by the custom of the platform', () => {
    const HOME = '/home/me';
    assert.deepEqual(foldersOf({ platform: 'linux', variables: { HOME } }), {
      config: '/home/me/.config/relctl',
      state: '/home/me/.local/state/relctl',
    });
    const support = '/home/me/Library/Application Support/relctl';
    assert.deepEqual(foldersOf({ platform: 'darwin', variables: { HOME } }), {
      config: support,
      state: `${support}/state`,
    });
    assert.deepEqual(
      foldersOf({ platform: 'win32', variables: { USERPROFILE: '/u', APPDATA: '/u/roam', LOCALAPPDATA: '/u/local' } }),
      {
        config: '/u/roam/relctl',
        state: '/u/local/relctl',
      },
    );
    assert.equal(
      foldersOf({ platform: 'win32', variables: { USERPROFILE: '/u' } }).config,
      '/u/AppData/Roaming/relctl',
    );
  });

  it('is where the XDG variables say', () => {
    const variables = { HOME: '/home/me', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' };
    assert.deepEqual(foldersOf({ platform: 'linux', variables }), { config: '/c/relctl', state: '/s/relctl' });
  });

  it('passes over a relative XDG folder, which would depend on the working folder', () => {
    for (const XDG_CONFIG_HOME of ['config', './config', '../config', ''])
      assert.equal(
        foldersOf({ platform: 'linux', variables: { HOME: '/home/me', XDG_CONFIG_HOME } }).config,
        '/home/me/.config/relctl',
      );
  });

  it('is exactly where RELCTL_CONFIG_DIR and RELCTL_STATE_DIR say, before all else', () => {
    const variables = { HOME: '/h', XDG_CONFIG_HOME: '/c', RELCTL_CONFIG_DIR: '/own/c', RELCTL_STATE_DIR: '/own/s' };
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      assert.deepEqual(foldersOf({ platform, variables }), { config: '/own/c', state: '/own/s' });
  });

  it('is somewhere also without a HOME', () => {
    assert.match(foldersOf({ platform: 'linux', variables: {} }).config, /^\/.*\/\.config\/relctl$/);
  });
});
