/** Something to close before a command ends. */
type Close = () => void | Promise<void>;

/** Closes all, the last first, whatever fails: a lock is released although its database cannot be closed. Throws the first failure. */
export async function closeAll(closers: readonly Close[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of [...closers].reverse()) {
    try {
      await close();
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
}
