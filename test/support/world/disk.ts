import { DiskCalls, Killed } from './disk/calls.js';

export { firstHandle } from './disk/calls.js';
export { mount, type Lots } from './disk/platter.js';

/** How the end of a call is told that does not wait for the disk. */
type Told = (failure: unknown, ...told: readonly unknown[]) => void;

type ReadRest = [offset: number, length: number, at: number | null, told: Told];

/** A disk in memory, in the place of node:fs for the paths below `mount`. */
export class MemoryDisk extends DiskCalls {
  /** Does later what a call that does not wait began: how much later is up to the world. */
  later: (end: () => void) => void = (end) => void setImmediate(end);

  /** Does a call now and tells its end later: of a process that was killed meanwhile nothing is told but that. */
  #begin(call: () => readonly unknown[], told: Told): void {
    let [failure, result]: [unknown, readonly unknown[]] = [null, []];
    try {
      result = call();
    } catch (thrown) {
      failure = thrown;
    }
    this.later(() => told(this.isKilled ? new Killed('killed') : failure, ...result));
  }

  open(path: string, flags: string | number, mode: number | Told, told?: Told): void {
    const end = typeof mode === 'function' ? mode : told;
    this.#begin(() => [this.openSync(path, flags)], end ?? (() => undefined));
  }

  close(handle: number, told: Told = () => undefined): void {
    this.#begin(() => {
      this.closeSync(handle);
      return [];
    }, told);
  }

  read(handle: number, into: Uint8Array, ...[offset, length, at, told]: ReadRest): void {
    this.#begin(() => [this.readSync(handle, into, offset, length, at), into], told);
  }

  write(handle: number, data: Uint8Array, ...[offset, length, at, told]: ReadRest): void {
    this.#begin(() => [this.writeSync(handle, data, offset, length, at), data], told);
  }

  /** What was written before it was asked for is on the platter when its end is told. */
  fdatasync(handle: number, told: Told): void {
    let end = (): void => undefined;
    try {
      end = this.begunSync(handle);
    } catch (thrown) {
      this.later(() => told(thrown));
      return;
    }
    this.later(() => {
      if (!this.isKilled) end();
      told(this.isKilled ? new Killed('killed') : null);
    });
  }
}
