/** Words that rows are given room for at first; most pages have no more than 1,000 rows. */
export const usualRows = 1024;

/** The same words, with room for at least so many, and for twice as many when there is too little. */
export function withRoom(words: Uint32Array, count: number): Uint32Array {
  if (count <= words.length) return words;
  const larger = new Uint32Array(Math.max(usualRows, words.length * 2, count));
  larger.set(words);
  return larger;
}
