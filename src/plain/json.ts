/** What a text says as JSON; undefined when it is no JSON, which no JSON text means. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
