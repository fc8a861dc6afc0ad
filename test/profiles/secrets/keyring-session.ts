import { findKeyring } from '../../../src/profiles/secrets/keyring.js';
import { resolveSecret } from '../../../src/profiles/secrets/secret.js';

const { env: variables, platform } = process;
const secret = 'pässwörd "x" \\ $HOME';
const keyring = await findKeyring({ platform, variables });
const first = await keyring?.keep('relctl-test/password', secret);
const second = await keyring?.keep('relctl-test/password', 'other');
const read = await resolveSecret('password', first ?? '', { platform, variables });
await keyring?.clear(first ?? '');
await keyring?.clear(second ?? '');
const after = await resolveSecret('password', first ?? '', { platform, variables }).catch(() => 'gone');
console.log(JSON.stringify({ first, second, isSame: read === secret, after }));
