import type { Mailbox } from './mail-format.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escape(text: string) {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

export function people(mailboxes: Mailbox[]) {
  const shown = mailboxes.map(
    ({ name, address }) => `<bdi>${escape(name ? `${name} <${address}>` : address)}</bdi>`,
  );
  return shown.join(', ') || 'none';
}

export function time({ time: iso }: { time: string }) {
  return `<time datetime="${iso}">${new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}</time>`;
}
