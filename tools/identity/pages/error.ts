import { escapeHtml, page } from './page.ts';

/** Reports a sign-in that failed, with a link that leads back to the application, which starts over. */
export function errorPage(reason: string) {
  const body = `<h1>Sign-in failed</h1>
<p class="problem" role="alert">${escapeHtml(reason)}</p>
<div class="actions"><a class="button" href="/">Start over</a></div>`;
  return page({ title: 'Local sign-in: failed', body });
}
