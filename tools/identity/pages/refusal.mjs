import { escapeHtml, page } from './page.mjs';

/**
 * A sign-in that cannot go on, and the way to begin again.
 * @param {string} reason
 */
export function refusalPage(reason) {
  const body = `<h1>This did not work</h1>
<p class="problem" role="alert">${escapeHtml(reason)}</p>
<div class="actions"><a class="button" href="/signin">Begin again</a></div>`;
  return page({ title: 'Local sign-in: this did not work', body });
}
