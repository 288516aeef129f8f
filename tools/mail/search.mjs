import { channels } from './channels.mjs';

/** @typedef {import('./page.mjs').Message} Message */

/**
 * The messages that contain every word of the query in their sender, recipient, subject, text or channel. Case does not
 * matter, nor does the form of a character (Unicode, UAX #15, NFKC).
 * @template {Message} T
 * @param {T[]} messages
 * @param {string} query
 * @returns {T[]} all of them for an empty query
 */
export function search(messages, query) {
  const words = folded(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return messages;
  return messages.filter((message) => {
    const text = folded(textsOf(message).join('\n'));
    return words.every((word) => text.includes(word));
  });
}

/** @param {Message} message */
function textsOf(message) {
  const channel = channels[message.channel];
  if (message.channel !== 'email')
    return [channel, message.from, message.to, 'title' in message ? message.title : '', message.text];
  const { from, to, subject, text, html = '', envelope } = message;
  const names = [...from, ...to].flatMap(({ name, address }) => [name, address]);
  return [channel, ...names, ...envelope.to, subject, text ?? html];
}

/** @param {string} text */
function folded(text) {
  return text.normalize('NFKC').toLowerCase();
}
