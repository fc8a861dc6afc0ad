import { randomUUID } from 'node:crypto';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { findOperation } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { type WholeResponse, writeResponse } from '../../soap/wire/response.js';
import type { ExecutingContext } from '../context.js';
import { originOf } from '../dataset/origin.js';
import { execute } from '../invoke.js';
import { identityOf } from '../store/identity.js';
import { openStore } from '../store/open.js';
import type { Order, Said, Setting } from './messages.js';

// The program of the second thread. It reads the database, and never writes to it.

/** Throws RelctlError `local` when another file has taken the place of the database, or none is there. */
function checkIdentity({ file, identity }: Setting): void {
  if (identity === undefined || identityOf(file) !== identity)
    throw new RelctlError('local', `${file} is another file now.`);
}

/** Opens the database. Throws as checkIdentity does. */
function opened(setting: Setting): ExecutingContext {
  const { file, dataset } = setting;
  // Before it is opened: with another database SQLite would take the log of this one, which is beside it, for its own.
  checkIdentity(setting);
  const store = openStore(file);
  // SQLite opens all of the files of a database with the first reading. One that is put there later is not read.
  store.statement('SELECT count(*) FROM "Parameter"').first();
  checkIdentity(setting);
  store.execute('PRAGMA query_only = ON');
  store.origin = originOf(dataset);
  return { store, now: () => new Date(), newId: randomUUID };
}

const setting = workerData as Setting;
const context = opened(setting);

function answered({ operation: name, ...request }: Order): WholeResponse | undefined {
  const operation = findOperation(name);
  if (operation === undefined) return undefined;
  const { content, ...executed } = execute(context, { ...request, operation, operationName: name });
  if (content !== undefined) return undefined;
  return writeResponse({ ...executed, namespace: setting.namespace, version: request.version });
}

/** The same, and undefined for what cannot be answered: the first thread tries it too, and says what is wrong. */
function answeredIfPossible(order: Order): WholeResponse | undefined {
  try {
    return answered(order);
  } catch {
    return undefined;
  }
}

/** Bytes that can be handed over to the other thread: those of a block that is shared are copied. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? new Uint8Array(buffer) : bytes.slice();
};

function serve(port: MessagePort): void {
  const say = (said: Said, handedOver: readonly ArrayBuffer[] = []): void => port.postMessage(said, handedOver);
  port.on('message', (order: Order) => {
    const { id } = order;
    const whole = answeredIfPossible(order);
    if (whole === undefined) {
      say({ id, whole });
      return;
    }
    const body = ownBytes(whole.body);
    say({ id, whole: { ...whole, body } }, [body.buffer]);
  });
  say({ ready: true });
}

if (parentPort !== null) serve(parentPort);
