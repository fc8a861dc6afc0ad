import { forMessage } from '../lexical/text.js';
import { parseName } from './names.js';
import { refusal } from './refusals.js';

/**
 * The target of a processing instruction, or undefined when more input is needed. Throws `bad-answer` (xml-malformed,
 * xml-limit). The caller handles the target `xml`, in any case of letters.
 * @param at index of its `<?`
 * @param most length of a name
 */
export function instructionTarget(text: string, at: number, most: number): string | undefined {
  const from = at + 2;
  const length = /[ \t\n?]/.exec(text.slice(from, from + most + 1))?.index;
  if (length === undefined) {
    if (text.length > from + most) throw refusal('xml-limit', `a name longer than ${most} characters`);
    return undefined;
  }
  const target = text.slice(from, from + length);
  return target.toLowerCase() === 'xml' || isWhole(text, { target, behind: from + length }) ? target : undefined;
}

/** False when more input is needed to see that a target ends where it seems to. */
function isWhole(text: string, { target, behind }: { readonly target: string; readonly behind: number }): boolean {
  if (parseName(target).prefix !== '') throw refusal('xml-malformed', `':' in the name '${forMessage(target)}'`);
  // A '?' right behind the target can only be the one that ends it.
  if (text.charCodeAt(behind) !== 0x3f) return true;
  if (behind + 1 >= text.length) return false;
  if (text.charCodeAt(behind + 1) !== 0x3e) throw refusal('xml-malformed', "'?' in the name of an instruction");
  return true;
}
