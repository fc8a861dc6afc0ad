/** What a text says as JSON; undefined when it is no JSON, which no JSON text means. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function endOfString(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end;
  }
}

/**
 * What a text says as JSON, and the same with the text of each number in its place: a number has fewer digits than may be
 * written. Undefined when it is no JSON.
 */
export function jsonWithLetters(json: string): readonly [value: unknown, letters: unknown] | undefined {
  const value = jsonOf(json);
  if (value === undefined) return undefined;
  const parts: string[] = [];
  for (let at = 0; at < json.length;) {
    const open = json.indexOf('"', at);
    const between = json.slice(at, open === -1 ? undefined : open);
    parts.push(between.replace(/-?\d[\d.eE+-]*/g, '"$&"'));
    if (open === -1) break;
    at = endOfString(json, open) + 1;
    parts.push(json.slice(open, at));
  }
  return [value, JSON.parse(parts.join(''))];
}
