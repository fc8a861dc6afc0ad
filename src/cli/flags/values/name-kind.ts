import { nameKinds } from '../../../profiles/kept/names.js';
import { argument } from '../define.js';
import { choiceOf } from '../readers.js';

const kind = argument((text, name) => choiceOf(text, name, nameKinds), { offers: nameKinds });

const description = `What it is a name of: ${nameKinds.join(', ')}.`;

/** The argument that says of which kind a name is. */
export const kindArg = kind({ required: true, description });

/** The same where it may be left out. */
export const optionalKindArg = kind({ required: false, description });
