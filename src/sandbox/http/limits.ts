/** Limits of each request, of each connection and of the server as a whole; times in milliseconds. */
export const serverLimits = {
  bodyBytes: 128 * 1024 * 1024,
  /** What is more than this waits in a file, not in memory. */
  heldBytes: 1024 * 1024,
  /** Of all bodies together that wait in memory; what does not fit waits in a file. */
  memoryBytes: 64 * 1024 * 1024,
  /** Of all bodies together that wait in files. */
  diskBytes: 4 * 1024 * 1024 * 1024,
  headerBytes: 32 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  connections: 512,
  /** Requests of one connection that wait for the answer to an earlier one. */
  pipelined: 64,
  keepAliveMs: 15_000,
  /** Of all answers together that were not taken yet; beyond it, requests wait. */
  unsentBytes: 64 * 1024 * 1024,
  /** While requests wait for answers to be taken, a client that takes nothing for so long is dropped. */
  stuckMs: 2_000,
  /** How long the rest of a body is thrown away that is not read, so that its sender sees the answer. */
  lingerMs: 1_000,
  /** How long closing waits for answers that are being sent. */
  closeGraceMs: 1_000,
} as const;
