/** What something gives, or what stands for it where that throws, whatever the reason. */
export function orElse<T, I>(work: () => T, instead: I): T | I {
  try {
    return work();
  } catch {
    return instead;
  }
}
