import { enumerations } from '../../contract/enumerations.js';
import type { AllowedValues } from '../../contract/widen.js';
import { inAnyCase } from '../../lexical/nearest.js';
import { readAllowedValues } from '../../profiles/settings/allowed-values.js';
import type { ResolvedProfile } from '../../profiles/resolve.js';

const readTexts = new Map<string, AllowedValues>();

/**
 * The values that the service of a profile has besides those of the contract, by the enumeration as the contract spells it;
 * undefined where the profile names none. The same object for the same values.
 */
export function allowedIn({ values }: ResolvedProfile): AllowedValues | undefined {
  const text = values.allowedValues?.value;
  if (text === undefined) return undefined;
  const known = readTexts.get(String(text));
  if (known !== undefined) return known;
  const found: Record<string, string[]> = {};
  for (const { enumeration, value } of readAllowedValues(String(text), 'allowedValues')) {
    const name = inAnyCase(enumeration, Object.keys(enumerations)) ?? enumeration;
    (found[name] ??= []).push(value);
  }
  readTexts.set(String(text), found);
  return found;
}
