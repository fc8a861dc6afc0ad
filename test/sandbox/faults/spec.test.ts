import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { randomness } from '../../../src/sandbox/dataset/random.js';
import {
  faultKinds,
  readSpec,
  scheduleKeys,
  draws,
  isDue,
  matchesCall,
  type Schedule,
} from '../../../src/sandbox/faults/spec.js';
import { thrownBy } from '../../support/thrown.js';

const failure = (text: string): RelctlError => thrownBy(() => readSpec(text));

describe('A line of a fault plan', () => {
  it('gives a fault the arguments that follow it', () => {
    const [effect] = readSpec('status=503,retry-after="Wed, 21 Oct 2026 07:28:00 GMT",latency=1ms').effects.slice(1);
    assert.equal(effect?.instead?.().headers['retry-after'], 'Wed, 21 Oct 2026 07:28:00 GMT');
  });

  it('takes anything between quotation marks as it is', () => {
    const [effect] = readSpec(String.raw`html=502,title="a,b;c=d \"e\" \\ f";first=1`).effects;
    assert.match(Buffer.from(effect?.instead?.().body ?? []).toString(), /<h1>a,b;c=d "e" \\ f<\/h1>/);
  });

  const times: readonly (readonly [text: string, ms: number])[] = [
    ['0ms', 0],
    ['200ms', 200],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['10m', 600_000],
  ];
  for (const [text, ms] of times) {
    it(`reads the time ${text}`, () => {
      const [effect] = readSpec(`latency=${text}`).effects;
      assert.equal(effect?.waitMs?.(randomness(1)('spec', 0)), ms);
    });
  }

  const refused: readonly (readonly [text: string, code: string, message: string])[] = [
    ['', 'fault-empty', 'there is no fault'],
    [';every=2', 'fault-empty', 'there is no fault'],
    ['x'.repeat(3000), 'fault-empty', 'it is longer than 2000 characters'],
    ['lattency=2ms', 'fault-unknown', "there is no fault 'lattency'; did you mean 'latency'?"],
    ['latency=2ms,', 'fault-unknown', "there is no fault ''"],
    ['Latency=2ms', 'fault-unknown', "there is no fault 'Latency'; did you mean 'latency'?"],
    ['zzzzzzzz', 'fault-unknown', "there is no fault 'zzzzzzzz'"],
    ['status=503,retry-aftr=2', 'fault-unknown', "there is no fault 'retry-aftr'; did you mean 'retry-after'?"],
    ['retry-after=2', 'fault-unknown', "there is no fault 'retry-after'"],
    ['evry=2', 'fault-unknown', "there is no fault 'evry'; did you mean 'every'?"],
    ['latency', 'fault-value', 'latency wants a value: a time such as 200ms, 1.5s or 2m, ten minutes at most'],
    ['latency=', 'fault-value', "latency takes a time such as 200ms, 1.5s or 2m, ten minutes at most, not ''"],
    ['latency=200', 'fault-value', "latency takes a time such as 200ms, 1.5s or 2m, ten minutes at most, not '200'"],
    ['latency=11m', 'fault-value', "latency takes a time such as 200ms, 1.5s or 2m, ten minutes at most, not '11m'"],
    ['bom=1', 'fault-value', 'bom takes no value'],
    [
      'reset=admid',
      'fault-value',
      "reset takes one of request, before, head, amid, after, not 'admid'; did you mean 'amid'?",
    ],
    ['status=42', 'fault-value', "status takes a whole number from 200 to 599, not '42'"],
    ['drip=64', 'fault-value', "drip takes bytes and an interval such as 64/100ms, not '64'"],
    ['drip=0/1ms', 'fault-value', "drip takes bytes and an interval such as 64/100ms, not '0/1ms'"],
    [
      'truncate=101%',
      'fault-value',
      "truncate takes a number of bytes such as 120, a part such as 50%, or a negative number of bytes to omit, not '101%'",
    ],
    [
      'control-characters=0A',
      'fault-value',
      "control-characters takes a hexadecimal code from 1 to 1F except 9, A and D, or FFFE or FFFF, not '0A'",
    ],
    ['status=503,retry-after', 'fault-argument', "status: retry-after needs a value, as in 'retry-after=…'"],
    ['latency=1ms,latency=2ms', 'fault-twice', 'latency is named twice'],
    ['status=503,retry-after=1,retry-after=2', 'fault-twice', 'status: retry-after is set twice'],
    ['bom;every=2;every=3', 'fault-twice', 'every is set twice'],
    ['status=503,html=502', 'fault-conflict', 'status and html both decide the answer; use a --fault for each'],
    ['reset=amid,stall=head', 'fault-conflict', 'reset and stall both end the connection; use a --fault for each'],
    ['latency=2ms,every=3', 'fault-schedule', "'every' is a schedule: write it after a semicolon, as in '…;every=…'"],
    ['latency=2ms;jitter=1ms', 'fault-schedule', 'jitter is a fault: write it before the semicolon, after a comma'],
    [
      'bom;opration=RelationGet',
      'fault-schedule',
      "there is no 'opration' after a semicolon; did you mean 'operation'?",
    ],
    ['bom;every', 'fault-value', 'every wants a value: a whole number from 1 to 1000000000'],
    ['bom;every=0', 'fault-value', "every takes a whole number from 1 to 1000000000, not '0'"],
    ['bom;share=120%', 'fault-value', "share takes a share such as 20% or 0.2, not '120%'"],
    [
      'bom;operation=RelationGet,RelationGetAl',
      'fault-value',
      "operation takes names of operations with commas between them, not 'RelationGet,RelationGetAl'; did you mean 'RelationGetAll'?",
    ],
    ['fault,message="a', 'fault-quote', 'a quotation mark is not closed'],
    ['fault,message=a"b"', 'fault-quote', 'quotation marks must enclose a whole value'],
  ];
  for (const [text, code, message] of refused) {
    it(`is refused by name: ${text === '' ? '(nothing)' : text.slice(0, 60)}`, () => {
      const error = failure(text);
      assert.deepEqual([error.kind, error.exitCode, error.facts.code], ['usage', 2, code]);
      assert.equal(error.message, `fault plan: ${message}`);
      assert.match(error.hint ?? '', /^relctl sandbox start /);
    });
  }

  it('is refused or read whatever it is, and never breaks the reader', () => {
    const words = [
      ...faultKinds.map(({ name }) => name),
      ...Object.keys(scheduleKeys),
      '=',
      ',',
      ';',
      '"',
      '\\',
      '50%',
      '1',
    ];
    const anyLine = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary' })), { maxLength: 12 });
    fc.assert(
      fc.property(anyLine, (parts) => {
        try {
          assert.ok(readSpec(parts.join('')).effects.length > 0);
        } catch (thrown) {
          assert.ok(thrown instanceof RelctlError && thrown.kind === 'usage', String(thrown));
        }
      }),
      { numRuns: 2000 },
    );
  });
});

const dueOf = (schedule: Schedule, calls: number): readonly number[] =>
  Array.from({ length: calls }, (_, index) => index + 1).filter((number) => isDue(schedule, number));

describe('A schedule of faults', () => {
  const table: readonly (readonly [schedule: Schedule, due: readonly number[]])[] = [
    [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ every: 3 }, [3, 6]],
    [{ first: 2 }, [1, 2]],
    [{ after: 6 }, [7, 8]],
    [{ after: 2, first: 4 }, [3, 4]],
    [{ every: 2, after: 3, first: 7 }, [4, 6]],
    [{ share: 0 }, []],
    [{ share: 1 }, [1, 2, 3, 4, 5, 6, 7, 8]],
  ];
  for (const [schedule, due] of table) {
    it(`befalls of eight calls, by ${JSON.stringify(schedule)}, ${due.length === 0 ? 'none' : due.join(', ')}`, () => {
      assert.deepEqual(dueOf(schedule, 8), due);
    });
  }

  it('draws the same calls from the same seed, and others from another', () => {
    assert.deepEqual(dueOf({ share: 0.3, seed: 7 }, 30), [9, 10, 17, 19, 25]);
    assert.notDeepEqual(dueOf({ share: 0.3, seed: 8 }, 30), dueOf({ share: 0.3, seed: 7 }, 30));
    assert.deepEqual(dueOf({ share: 0.3 }, 30), dueOf({ share: 0.3, seed: 1 }, 30));
  });

  it('draws about the share asked for', () => {
    for (const share of [0.05, 0.2, 0.5, 0.9]) {
      const part = dueOf({ share, seed: 11 }, 20_000).length / 20_000;
      assert.ok(Math.abs(part - share) < 0.02, `${part} for ${share}`);
    }
  });

  it('draws for a call without looking at the calls before it', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), fc.integer({ min: 1, max: 1_000_000 }), (seed, number) => {
        assert.equal(draws(seed)('share', number).below(1000), draws(seed)('share', number).below(1000));
        assert.equal(isDue({ share: 0.5, seed }, number), isDue({ share: 0.5, seed }, number));
      }),
    );
  });

  it('speaks of the operations and the page that it names, and of all when it names none', () => {
    const list = { operation: 'RelationGetAll', page: 3 };
    assert.ok(matchesCall({}, list));
    assert.ok(matchesCall({ operation: ['RelationGet', 'RelationGetAll'], page: 3 }, list));
    assert.ok(!matchesCall({ operation: ['RelationGet'] }, list));
    assert.ok(!matchesCall({ page: 2 }, list));
    assert.ok(!matchesCall({ page: 0 }, { operation: 'RelationGet', page: undefined }));
  });
});
