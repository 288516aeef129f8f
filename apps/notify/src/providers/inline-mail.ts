import type { InlineContent } from '../sends/plaintext.repository.js';
import { escapeHtml } from '../text/rich-text.js';

/** A mail that consists of its content, with an unsubscribe link below. A document of HTML has no plain text beside it. */
export function inlineMail(
  { payload, contentType }: InlineContent,
  unsubscribeUrl: string | null,
): { text: string } | { html: string } {
  const isHtml = /^text\/html\s*(;|$)/i.test(contentType);
  if (unsubscribeUrl === null) return isHtml ? { html: payload } : { text: payload };
  if (!isHtml) return { text: `${payload}\n\n-- \nUnsubscribe: ${unsubscribeUrl}\n` };
  const link = `<p><a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a></p>`;
  const end = payload.search(/<\/body\s*>/i);
  return { html: end < 0 ? payload + link : payload.slice(0, end) + link + payload.slice(end) };
}
