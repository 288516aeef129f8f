/** Texts as the chat platform shows them. Apps escape `&`, `<` and `>`; limits count what apps send. */

const CHARACTERS = { amp: '&', lt: '<', gt: '>' } as Record<string, string>;

/** Decodes the three entities, once. */
const decoded = (text: string) => text.replace(/&(amp|lt|gt);/g, (_, name) => CHARACTERS[name] ?? '');

/**
 * A view or message whose plain texts are decoded. Marked-up text stays as it is, because `<@U0ADA>` is a mention in it and
 * `&lt;@U0ADA&gt;` is not; the page of the platform decodes it after mentions and dates.
 */
export function shownTexts<T>(given: T): T {
  if (typeof given !== 'object' || given === null) return given;
  if (Array.isArray(given)) return given.map(shownTexts) as T;
  const members = Object.entries(given).map(([name, value]) => [name, shownTexts(value)]);
  const shown = Object.fromEntries(members);
  return isPlainText(shown) ? { ...shown, text: decoded(shown.text) } : shown;
}

const isPlainText = ({ type, text }: Record<string, unknown>) =>
  type === 'plain_text' && typeof text === 'string';
