import { channels } from './channels.ts';
import type { Message } from './page.ts';

/**
 * The messages that contain every word of the query in their sender, recipient, subject, text or channel. Case does not
 * matter, nor does the form of a character (Unicode, UAX #15, NFKC).
 * @returns all of them for an empty query
 */
export function search<T extends Message>(messages: T[], query: string): T[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return messages;
  return messages.filter((message) => {
    const text = folded(textsOf(message).join('\n'));
    return words.every((word) => text.includes(word));
  });
}

function textsOf(message: Message) {
  const channel = channels[message.channel];
  if (message.channel !== 'email')
    return [channel, message.from, message.to, 'title' in message ? message.title : '', message.text];
  const { from, to, subject, text, html = '', envelope } = message;
  const names = [...from, ...to].flatMap(({ name, address }) => [name, address]);
  return [channel, ...names, ...envelope.to, subject, text ?? html];
}

function folded(text: string) {
  return text.normalize('NFKC').toLowerCase();
}
