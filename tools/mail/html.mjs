/** @type {Record<string, string>} */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** @param {string} text */
export function escape(text) {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** @param {import('./message-store.mjs').Mailbox[]} mailboxes */
export function people(mailboxes) {
  const shown = mailboxes.map(
    ({ name, address }) => `<bdi>${escape(name ? `${name} <${address}>` : address)}</bdi>`,
  );
  return shown.join(', ') || 'none';
}

/** @param {{ time: string }} message */
export function time({ time: iso }) {
  return `<time datetime="${iso}">${new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}</time>`;
}
