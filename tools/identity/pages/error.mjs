import { escapeHtml, page } from './page.mjs';

/**
 * Reports a sign-in that failed, with a link that starts over.
 * @param {string} reason
 */
export function errorPage(reason) {
  const body = `<h1>Sign-in failed</h1>
<p class="problem" role="alert">${escapeHtml(reason)}</p>
<div class="actions"><a class="button" href="/signin">Start over</a></div>`;
  return page({ title: 'Local sign-in: failed', body });
}
