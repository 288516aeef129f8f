const brand =
  '<p class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2l2.4 7.6L22 12l-7.6 2.4L12 22l-2.4-7.6L2 12l7.6-2.4z"/></svg>vaultsvc</p>';

/** The first state of the page, and the words for browsers without JavaScript. The script fills stage and status. */
export const pageBody = `<main>
${brand}
<div id="stage" class="opening"><h1 tabindex="-1">Opening your link</h1><p>This takes a moment.</p></div>
<p id="status" role="status"></p>
<noscript><h1>This page needs JavaScript</h1>
<p>A script opens the link, so that previews and mail scanners cannot use it up. Nothing has been opened. Allow JavaScript and reload the page.</p></noscript>
</main>`;

/** For a browser that loaded the page ahead of time and then shows it: loaded again, it has its script. */
export const prefetchBody = `<main>
${brand}
<h1>Your link is ready</h1>
<p>Your browser has loaded this page ahead of time. Nothing has been opened.</p>
<p class="actions"><a class="button" href="">Open the link</a></p>
</main>`;
