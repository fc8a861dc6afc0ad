import type { RecordValue } from '../../../../src/plain/value.js';
import type { Lots } from '../disk.js';
import { idOf } from '../schedule.js';

/** In what order a service gives the rows of a list. */
export type Order = 'by change' | 'by change, last first' | 'by Id';

/** What a row shows: all of it and when it changed, all of it, or nothing that changes. */
export type Shows = 'stamp' | 'content' | 'nothing';

interface Version {
  readonly version: number;
  readonly stampMs: number;
  /** When others see it, by true time: a transaction takes its while. */
  readonly visibleMs: number;
}

/** Time as it is, and as the service and the machine have it. In milliseconds since 1970. */
export interface Clocks {
  trueMs: number;
  serviceAheadMs: number;
  machineAheadMs: number;
}

/** A page that was asked for. */
export interface Asked {
  readonly from: string;
  readonly to: string;
  readonly pageNumber: number;
  readonly pageSize: number;
}

/** What a service may be like. */
export interface ServiceFacts {
  readonly order: Order;
  readonly shows: Shows;
  readonly mostLateMs: number;
}

const instant = (text: string): number => Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);

/** A list that changes, with the rule by which it is paged. */
export class ModelService {
  readonly #facts: ServiceFacts;
  readonly #clocks: Clocks;
  readonly #lots: Lots;
  readonly #rows = new Map<number, Version[]>();
  /** The version that a record shows, which the record itself may not tell. */
  readonly versions = new WeakMap<RecordValue, number>();

  constructor(facts: ServiceFacts, clocks: Clocks, lots: Lots) {
    this.#facts = facts;
    this.#clocks = clocks;
    this.#lots = lots;
  }

  get nowMs(): number {
    return this.#clocks.trueMs + this.#clocks.serviceAheadMs;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** Changes a row, or makes it. */
  change(row: number): void {
    const versions = this.#rows.get(row) ?? [];
    const lateMs = this.#facts.mostLateMs === 0 ? 0 : this.#lots(this.#facts.mostLateMs);
    const visibleMs = Math.max(this.#clocks.trueMs + lateMs, versions.at(-1)?.visibleMs ?? 0);
    this.#rows.set(row, [...versions, { version: versions.length + 1, stampMs: this.nowMs, visibleMs }]);
  }

  /** The rows as they are when everything can be seen: Id and version. */
  last(): ReadonlyMap<string, number> {
    return new Map([...this.#rows].map(([row, versions]) => [idOf(0, row), versions.length]));
  }

  #record(row: number, { version, stampMs }: Version): RecordValue {
    const { shows } = this.#facts;
    const record: RecordValue = {
      Id: idOf(0, row),
      ...(shows === 'nothing' ? {} : { Description: `version ${version}` }),
      ...(shows === 'stamp' ? { AuditData: { ModifiedAt: new Date(stampMs).toISOString() } } : {}),
    };
    this.versions.set(record, version);
    return record;
  }

  #before(left: readonly [number, Version], right: readonly [number, Version]): number {
    const { order } = this.#facts;
    const byId = left[0] - right[0];
    if (order === 'by Id') return byId;
    const byStamp = left[1].stampMs - right[1].stampMs;
    return (order === 'by change' ? byStamp : -byStamp) || byId;
  }

  /** A page of what changed in a period. */
  page({ from, to, pageNumber, pageSize }: Asked): readonly RecordValue[] {
    const [fromMs, toMs] = [instant(from), instant(to)];
    const seen = [...this.#rows].flatMap(([row, versions]): (readonly [number, Version])[] => {
      const shown = versions.findLast(({ visibleMs }) => visibleMs <= this.#clocks.trueMs);
      return shown === undefined || shown.stampMs < fromMs || shown.stampMs > toMs ? [] : [[row, shown]];
    });
    const rows = seen.sort((left, right) => this.#before(left, right));
    return rows
      .slice((pageNumber - 1) * pageSize, pageNumber * pageSize)
      .map(([row, shown]) => this.#record(row, shown));
  }
}
