/** The words of a text in lower case, without punctuation: `next_cursor` has two. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A word without the ending of its plural, so that "links" finds "link". */
export function singular(word: string): string {
  if (word.length < 4) return word;
  return word.replace(/ies$/, 'y').replace(/([^sui])s$/, '$1');
}
