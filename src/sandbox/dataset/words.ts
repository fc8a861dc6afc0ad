import data from './data/words.json' with { type: 'json' };

/**
 * Words to make records of, by what they are for. Accents, other scripts, prefixes (which Dutch sorts under the word after
 * them) and markup are there on purpose: names are where exactness shows. Of the endings of a dateTime by far the most
 * have no zone, as .asmx services send them, and trailing zeros are cut; every digit of an exact price matters.
 */
export const words = data as { readonly [K in keyof typeof data]: [string, ...string[]] };
