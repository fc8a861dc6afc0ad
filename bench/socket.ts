import { connect, type Socket } from 'node:net';

/** A connection that sends requests as bytes and gives answers as bytes, so that the client takes little time itself. */
export interface Connection {
  /** Sends a request, and gives the answer with its head. Throws when it is not of status 200. One at a time. */
  send(request: Buffer): Promise<Buffer>;
  close(): void;
}

const headEnd = '\r\n\r\n';
const lastChunk = '\r\n0\r\n\r\n';

/** Gathers an answer. The service sends its head in the first piece. */
class Answer {
  readonly #pieces: Buffer[] = [];
  #length = 0;
  /** Bytes of the answer; undefined where it ends with its last chunk. */
  #whole: number | undefined;

  /** Takes a piece, and says whether it was the last one. */
  take(piece: Buffer): boolean {
    if (this.#pieces.length === 0) this.#readHead(piece);
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this.#whole === undefined ? this.#endsWithLastChunk() : this.#length >= this.#whole;
  }

  #readHead(piece: Buffer): void {
    const end = piece.indexOf(headEnd);
    const length = /content-length: (\d+)/i.exec(piece.toString('latin1', 0, end))?.[1];
    if (length !== undefined) this.#whole = end + headEnd.length + Number(length);
  }

  #endsWithLastChunk(): boolean {
    const end = Buffer.concat(this.#pieces.slice(-2).map((piece) => piece.subarray(-lastChunk.length)));
    return end.toString('latin1').endsWith(lastChunk);
  }

  bytes(): Buffer {
    const bytes = Buffer.concat(this.#pieces);
    if (bytes.toString('latin1', 0, 12) !== 'HTTP/1.1 200') throw new Error(bytes.toString('latin1', 0, 300));
    return bytes;
  }
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket;
}

/** Connects to a service on this machine. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = await connected(port);
  const answerTo = async (request: Buffer): Promise<Answer> => {
    const answer = new Answer();
    await new Promise<void>((resolve, reject) => {
      const take = (piece: Buffer): void => {
        if (answer.take(piece)) end(resolve);
      };
      const fail = (): void => end(() => reject(new Error('the service closed the connection')));
      const end = (settle: () => void): void => {
        socket.off('data', take).off('error', fail).off('close', fail);
        settle();
      };
      socket.on('data', take).on('error', fail).on('close', fail).write(request);
    });
    return answer;
  };
  return {
    send: async (request) => (await answerTo(request)).bytes(),
    close: () => socket.destroy(),
  };
}
