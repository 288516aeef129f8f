/** Texts as the chat platform shows them. Apps escape `&`, `<` and `>`; limits count what apps send. */

const CHARACTERS = /** @type {Record<string, string>} */ ({ amp: '&', lt: '<', gt: '>' });

/**
 * Decodes the three entities, once.
 * @param {string} text
 */
const decoded = (text) => text.replace(/&(amp|lt|gt);/g, (_, name) => CHARACTERS[name] ?? '');

/**
 * A view or message whose plain texts are decoded. Marked-up text stays as it is, because `<@U0ADA>` is a mention in it and
 * `&lt;@U0ADA&gt;` is not; the page of the platform decodes it after mentions and dates.
 * @template T
 * @param {T} given
 * @returns {T}
 */
export function shownTexts(given) {
  if (typeof given !== 'object' || given === null) return given;
  if (Array.isArray(given)) return /** @type {T} */ (given.map(shownTexts));
  const members = Object.entries(given).map(([name, value]) => [name, shownTexts(value)]);
  const shown = Object.fromEntries(members);
  return isPlainText(shown) ? { ...shown, text: decoded(shown.text) } : shown;
}

/** @param {Record<string, unknown>} given */
const isPlainText = ({ type, text }) => type === 'plain_text' && typeof text === 'string';
