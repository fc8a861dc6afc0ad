const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes in words, by powers of 1024: `812 bytes`, `1.5 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let [size, unit] = [bytes / 1024, 0];
  for (; size >= 1023.95 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${size.toFixed(1)} ${units[unit] ?? ''}`;
}
