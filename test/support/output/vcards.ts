import { askPython } from './python.js';

/** A card as vobject reads it. */
export interface Card {
  readonly version: string;
  readonly fn: string;
  readonly family: string;
  readonly sort: string | null;
  readonly uid: string | null;
  /** Numbers with the values of their TYPE. */
  readonly tel: readonly (readonly [number: string, types: readonly string[]])[];
  /** Names of all properties, in their order. */
  readonly properties: readonly string[];
}

const script = `
import base64, vobject
text = base64.b64decode(json.load(sys.stdin)).decode("utf-8")
print(json.dumps([{
    "version": card.version.value, "fn": card.fn.value, "family": card.n.value.family,
    "sort": card.sort_string.value if "sort-string" in card.contents else None,
    "uid": card.uid.value if "uid" in card.contents else None,
    "tel": [[each.value, each.params.get("TYPE", [])] for each in card.contents.get("tel", [])],
    "properties": [each.name for each in card.lines()],
} for card in vobject.readComponents(text)]))
`;

/** The cards that the vobject of Python reads from the bytes of a file. */
export const cardsByVobject = (bytes: Buffer): readonly Card[] =>
  askPython(script, bytes.toString('base64'), 'vobject') as readonly Card[];
