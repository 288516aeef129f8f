/** How often each text occurs. */
export function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** A sentence for each text that does not occur as often as expected. */
export function difference(what: string, expected: readonly string[], found: readonly string[]): string[] {
  const [wanted, seen] = [counted(expected), counted(found)];
  return [...new Set([...expected, ...found])].flatMap((text) => {
    const [want = 0, have = 0] = [wanted.get(text), seen.get(text)];
    return want === have ? [] : [`${what} "${text}" occurs ${have} times instead of ${want}`];
  });
}
