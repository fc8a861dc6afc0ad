import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { findOperation } from '../../contract/service.js';
import { type WholeResponse, writeResponse } from '../../soap/wire/response.js';
import type { DatasetParameters } from '../dataset/making.js';
import { originOf } from '../dataset/origin.js';
import { recordsInOutline } from '../store/outline.js';
import type { Order, Said } from './messages.js';

// The program of the second thread. It has the parameters of the data set, and no door to the database.

const origin = originOf(workerData as DatasetParameters);

function written({ operation: name, result, list: { member, page }, ...text }: Order): WholeResponse | undefined {
  const operation = findOperation(name);
  if (operation === undefined) return undefined;
  return writeResponse({ ...text, operation, result: { ...result, [member]: recordsInOutline({ origin }, page) } });
}

/** The same, and undefined for what cannot be written: the first thread tries it too, and says what is wrong. */
function writtenIfPossible(order: Order): WholeResponse | undefined {
  try {
    return written(order);
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
    const whole = writtenIfPossible(order);
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
