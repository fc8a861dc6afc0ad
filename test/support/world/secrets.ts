import { formsOf } from '../../../src/core/secrets/forms.js';
import type { MemoryDisk } from './disk.js';
import { secrets } from './program.js';

const forms = Object.entries(secrets).flatMap(([name, secret]) => formsOf(secret).map((form) => [name, form] as const));

/** The secrets of the profile that a text holds, in any form that the program hides. */
const secretsIn = (text: string): readonly string[] => [
  ...new Set(forms.flatMap(([name, form]) => (text.includes(form) ? [name] : []))),
];

/** Says where a secret got to: what was said, and the files. */
export function leaks(said: string, disk: MemoryDisk): readonly string[] {
  const places = [['the output', said] as const, ...disk.files()];
  if (secretsIn(places.map(([, text]) => text).join('\n')).length === 0) return [];
  return places.flatMap(([place, text]) => secretsIn(text).map((name) => `${place} holds the ${name}`));
}
