import { browserScript } from '../../build/browser-script.ts';
import { scope } from '../oidc.ts';
import { page } from './page.ts';

const script = browserScript(new URL('./session.client.ts', import.meta.url));

const body = `<noscript><p class="problem">This page needs JavaScript.</p></noscript>
<p class="problem" role="alert" id="problem"></p>
<section id="looking" hidden>
<h1>Sign in</h1>
<p role="status">Looking for your session …</p>
</section>
<section id="signed-out" hidden>
<h1 tabindex="-1">Sign in</h1>
<p>The identity provider of this stack asks who you are and sends you back here.</p>
<div class="actions"><button id="sign-in">Sign in</button></div>
</section>
<section id="invited" hidden>
<h1 tabindex="-1">You are invited</h1>
<p>You join an organization only by accepting.</p>
<ul id="invitations"></ul>
<div class="actions"><button class="quiet" id="found">Found my own organization</button><button class="quiet" data-log-out>Log out</button></div>
</section>
<template id="invitation">
<li><p><strong data-text="organization"></strong> invites you as <span data-text="role"></span><span data-text="inviter"></span>, until <span data-text="until"></span>.</p>
<div class="actions"><button data-accept>Accept</button><button class="quiet" data-decline>Decline</button></div></li>
</template>
<section id="naming" hidden>
<h1 tabindex="-1">Name your organization</h1>
<p>You are new here. An organization owns keys, secrets and people; you will be its owner.</p>
<form id="sign-up" novalidate>
<label for="organization">Organization</label>
<input id="organization" autocomplete="organization" required maxlength="255">
<div class="actions"><button>Create organization</button><button type="button" class="quiet" data-log-out>Log out</button></div>
</form>
</section>
<section id="signed-in" hidden>
<h1 tabindex="-1">You are signed in</h1>
<dl>
<div><dt>Name</dt><dd data-field="name"></dd></div>
<div><dt>E-mail</dt><dd data-field="email"></dd></div>
<div><dt>Role</dt><dd data-field="role"></dd></div>
<div><dt>Organization</dt><dd data-field="organization"></dd></div>
</dl>
<div class="actions"><button id="refresh" class="quiet">Refresh now</button><button data-log-out>Log out</button><a class="button" id="application">Open the application</a></div>
<p class="note" role="status" id="renewed"></p>
</section>`;

/**
 * `/signin`: signs in at the API as a browser client does.
 * @param options `endpoint`: the authorization endpoint of the provider that the API trusts
 */
export function sessionPage({
  issuer,
  clientId,
  apiOrigin,
  endpoint,
}: {
  issuer: string;
  clientId: string;
  apiOrigin: string;
  endpoint: string;
}) {
  return page({
    title: 'vaultsvc sign-in',
    body,
    script,
    data: {
      api: apiOrigin,
      authorize: endpoint,
      'client-id': clientId,
      'redirect-uri': `${issuer}/signin`,
      scope,
    },
    connectsTo: [apiOrigin],
  });
}
