import { close, fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { RelctlError } from '../core/errors/relctl-error.js';
import { writeAll } from './durable.js';
import { attempt } from './own-file.js';

/** How long what was written may wait for a sync, in milliseconds. */
const longestWaitMs = 100;

const syncData = promisify(fdatasync);
const closeFile = promisify(close);

/** An open file that grows. Writes that wait for the disk together are synced together. All throws `local`. */
export class SyncedFile {
  readonly #file: string;
  readonly #handle: number;
  #bytes: number;
  /** Places: before the first of them all is on the disk, and before the second all will be when the sync under way has ended. */
  #durable = 0;
  #startedUpTo = 0;
  /** The sync that is under way, and the one that takes what was written since it began. */
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: RelctlError | undefined;

  constructor(file: string, handle: number, bytes: number) {
    this.#file = file;
    this.#handle = handle;
    this.#bytes = bytes;
  }

  /**
   * Writes bytes behind the others, which outlive this process from here on; they outlive a loss of power once what was written
   * later is on the disk, the file is closed, or a tenth of a second has gone. Gives the place behind them.
   */
  write(bytes: Uint8Array): number {
    // What stands behind a torn line would be taken for damage.
    if (this.#failure !== undefined) throw this.#failure;
    this.#attempt(() => writeAll(this.#handle, bytes, this.#bytes));
    this.#bytes += bytes.length;
    this.#timer ??= setTimeout(() => {
      // The next write tells of a failure.
      this.#synced().catch(() => undefined);
    }, longestWaitMs);
    return this.#bytes;
  }

  /** Returns when all before a place is on the disk. */
  durable(position: number): Promise<void> {
    if (position <= this.#durable) return Promise.resolve();
    return position <= this.#startedUpTo ? this.#current : this.#synced();
  }

  /** Syncs what was written last, and closes the file. */
  async close(): Promise<void> {
    try {
      if (this.#failure === undefined && this.#timer !== undefined) await this.#synced();
      else await this.#next;
    } finally {
      clearTimeout(this.#timer);
      await closeFile(this.#handle);
    }
  }

  #synced(): Promise<void> {
    this.#next ??= this.#current.then(async () => {
      this.#next = undefined;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#current = this.#sync();
      await this.#current;
    });
    return this.#next;
  }

  async #sync(): Promise<void> {
    const position = this.#bytes;
    this.#startedUpTo = position;
    try {
      await syncData(this.#handle);
      this.#durable = position;
    } catch (thrown) {
      this.#attempt(() => {
        throw thrown;
      });
    }
  }

  /** A file that failed once takes nothing more. */
  #attempt(work: () => void): void {
    try {
      attempt(this.#file, work);
    } catch (thrown) {
      this.#failure = RelctlError.from(thrown);
      throw thrown;
    }
  }
}
