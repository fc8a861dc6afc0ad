/**
 * Has the first error told that nobody caught, also one of a promise that nobody waits for. Node would print it as it is, with
 * all its members: those of an HTTP library hold the request, with the password. What follows it is not told, because the
 * process is about to end.
 */
export function watchDefects(tell: (thrown: unknown) => void): void {
  let isTold = false;
  process.on('uncaughtException', (thrown: unknown) => {
    if (isTold) return;
    isTold = true;
    tell(thrown);
  });
}
