let segmenter: Intl.Segmenter | undefined;
/** Characters that terminals show in two columns (UAX #11): of East Asian scripts, full-width forms and emoji. */
const WIDE =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/u;
const NARROW_KATAKANA = /^[\uff61-\uffdc]/;
const INVISIBLE = /^[\p{M}\p{Cf}]+$/u;

/** The columns that a text takes on a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += characterWidth(segment);
  return width;
}

/** The beginning of a text that fits, with `…` where something was left out. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let [kept, used] = ['', 1];
  for (const { segment } of graphemesOf(text)) {
    used += characterWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** A segmenter takes as long to make as a tenth of the start of the program, and most commands need none. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

function characterWidth(character: string): number {
  if (INVISIBLE.test(character)) return 0;
  return WIDE.test(character) && !NARROW_KATAKANA.test(character) ? 2 : 1;
}
