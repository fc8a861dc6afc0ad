import assert from 'node:assert/strict';
import { kinds, type Kind } from '../../src/core/errors/kinds.js';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { renderError, renderNotes, renderWarning } from '../../src/formats/error.js';
import { hostile, unseen } from '../support/output/print.js';

const refused = new RelctlError('refused', 'the service refused RelationGet: unknown relation', {
  facts: {
    operation: 'RelationGet',
    profile: 'prod.eu',
    foreignCode: 'NotFound',
    number: 12,
    httpStatus: 200,
    page: 3,
    attempts: 2,
  },
  hint: 'relctl relation list',
  cause: new Error('password=geheim'),
});

const text = (error: RelctlError): string => renderError(error, { shape: 'text', debug: false });
const json = (error: RelctlError): string => renderError(error, { shape: 'json', debug: false });

describe('An error in text', () => {
  it('says what failed, where, and what to try', () => {
    assert.equal(
      text(refused),
      'Error: the service refused RelationGet: unknown relation\n' +
        '  RelationGet, profile prod.eu, page 3, HTTP 200, code NotFound, number 12, 2 attempts\n' +
        '  Try: relctl relation list\n',
    );
  });

  it('says a profile once where the message says it', () => {
    const error = new RelctlError('profile', "there is no profile 'x'", {
      facts: { profile: 'x' },
      namesProfile: true,
    });
    assert.equal(
      text(error.but({ message: "it failed: there is no profile 'x'" })),
      "Error: it failed: there is no profile 'x'\n",
    );
  });

  it('is one line when there is no more to say', () => {
    assert.equal(text(new RelctlError('usage', 'no such flag')), 'Error: no such flag\n');
  });

  it('says how to report a defect', () => {
    assert.match(
      text(RelctlError.from(new TypeError('x is not a function'))),
      /^Error: x is not a function\n {2}This is a bug in relctl\./,
    );
  });

  for (const [name, nasty] of Object.entries(hostile)) {
    it(`neutralises ${name} in message, facts and hint`, () => {
      const error = new RelctlError('refused', nasty, { facts: { foreignCode: nasty, url: nasty }, hint: nasty });
      const lines = text(error).split('\n');
      assert.deepEqual([lines.length, lines.pop()], [4, '']);
      for (const line of lines) assert.doesNotMatch(line, unseen);
    });
  }
});

describe('An error as JSON', () => {
  it('is one object on one line', () => {
    const shown = json(refused);
    assert.equal(shown.indexOf('\n'), shown.length - 1);
    assert.deepEqual(JSON.parse(shown), {
      error: {
        kind: 'refused',
        layer: 'service',
        operation: 'RelationGet',
        profile: 'prod.eu',
        code: 'NotFound',
        number: 12,
        httpStatus: 200,
        page: 3,
        attempts: 2,
        message: 'the service refused RelationGet: unknown relation',
        hint: 'relctl relation list',
        exitCode: 4,
      },
    });
  });

  it('has kind, layer and exit code of the table for every kind', () => {
    for (const [kind, { layer, exitCode }] of Object.entries(kinds)) {
      const error = new RelctlError(kind as Kind, 'x');
      assert.deepEqual(JSON.parse(json(error)), { error: { kind, layer, message: 'x', exitCode } });
    }
  });

  it('has the exit code of the signal, when a signal ended the run', () => {
    const error = new RelctlError('interrupted', 'stopped', { facts: { exitCode: 143 } });
    assert.equal((JSON.parse(json(error)) as { error: { exitCode: number } }).error.exitCode, 143);
  });

  it('carries the data that came with a refusal', () => {
    const error = new RelctlError('partial', 'some rows failed', { data: [{ Id: '1' }] });
    assert.deepEqual((JSON.parse(json(error)) as { error: { data: unknown } }).error.data, [{ Id: '1' }]);
  });

  it('is exact and shows nothing unseen, whatever the text', () => {
    for (const nasty of Object.values(hostile)) {
      const shown = json(new RelctlError('refused', nasty));
      assert.equal((JSON.parse(shown) as { error: { message: string } }).error.message, nasty);
      assert.doesNotMatch(shown.trimEnd(), unseen);
    }
  });
});

describe('An error in either shape', () => {
  it('shows no stack and no cause', () => {
    for (const shown of [text(refused), json(refused)]) {
      assert.doesNotMatch(shown, /geheim/);
      assert.doesNotMatch(shown, /\bat .*error\.test/);
    }
  });

  it('shows the stack, still without the cause, to a developer who asks', () => {
    for (const shape of ['text', 'json'] as const) {
      const shown = renderError(refused, { shape, debug: true });
      assert.match(shown, /error\.test/);
      assert.doesNotMatch(shown, /geheim/);
    }
  });
});

describe('A warning', () => {
  it('is one line with nothing unseen', () => {
    assert.equal(renderWarning('seen\n\u001b[2Jtwice'), 'Note: seen⏎␛[2Jtwice\n');
  });

  it('is broken between words at the width of a terminal, but for a word that is longer', () => {
    const told = '250 rows to /exports/relations-2026-01-31.csv, in 2 pages';
    assert.equal(renderWarning(told), `Note: ${told}\n`);
    assert.equal(renderWarning(told, 24), 'Note: 250 rows to\n  /exports/relations-2026-01-31.csv,\n  in 2 pages\n');
  });
});

describe('Notes as JSON', () => {
  it('are exact, on one line with nothing unseen', () => {
    for (const [name, text] of Object.entries(hostile)) {
      const shown = renderNotes([text, 'plain']);
      assert.ok(shown.endsWith('\n') && !unseen.test(shown.slice(0, -1)), name);
      assert.deepEqual(JSON.parse(shown), { notes: [text, 'plain'] });
    }
  });
});
