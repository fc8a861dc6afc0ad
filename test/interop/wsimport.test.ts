import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../src/contract/service.js';
import { writeWsdl } from '../../src/wsdl/definitions.js';
import { home } from '../support/relctl.js';
import { needs } from '../support/skip.js';

describe('wsimport of JAX-WS (Debian: jaxws)', function () {
  it('takes the description; it warns of SOAP 1.2, which JAX-WS calls non-standard anywhere, and of nothing else', function () {
    needs(this, 'wsimport');
    const place = home();
    const file = join(place.folder, 'service.wsdl');
    const address = 'http://127.0.0.1/V1/service.asmx';
    writeFileSync(
      file,
      writeWsdl({ operations: Object.values(operations), namespace: 'http://crm.example/ns', address }),
    );
    const { status, stdout, stderr } = spawnSync('wsimport', ['-Xnocompile', '-d', place.folder, file]);
    place.remove();
    const said = `${stdout.toString()}${stderr.toString()}`;
    assert.equal(status, 0, said);
    assert.deepEqual(said.match(/\[(?:WARNING|ERROR)\].*/g), [
      '[WARNING] Ignoring SOAP port "RelationshipManagementSoap12": it uses non-standard SOAP 1.2 binding.',
    ]);
  });
});
