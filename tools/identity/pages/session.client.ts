// @ts-nocheck
/* global BroadcastChannel, btoa, document, history, location, navigator, sessionStorage */

// The browser's part of a sign-in. The refresh token is in an HttpOnly cookie; the access token is only in a variable.
const { api, authorize, clientId, redirectUri, scope } = document.body.dataset;
const pendingKey = 'vaultsvc-sign-in';
const ATTEMPTS_MAX = 5;
const otherTabs = new BroadcastChannel('vaultsvc-session');
const find = (selector) => document.querySelector(selector);
let accessToken = '';
let isBusy = false;

/** An error with a message for the user. */
class Problem extends Error {
  readonly status;

  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Calls an operation that reads or writes the refresh cookie, under a lock that all tabs share: a late answer must not
 * overwrite a newer cookie.
 */
function callExclusively(path, body = {}) {
  return navigator.locks.request('vaultsvc-refresh', () => call(path, body));
}

function call(path, body = {}) {
  const headers = { 'Content-Type': 'application/json', 'X-VK-Client': 'web' };
  return send(path, { method: 'POST', credentials: 'include', headers, body: JSON.stringify(body) });
}

async function send(path, request) {
  if (accessToken) request.headers.Authorization = `Bearer ${accessToken}`;
  const response = await fetchWithRetry(api + path, request).catch(() => {
    throw new Problem(`The API at ${api} does not answer. Check that the stack is running, then try again.`);
  });
  if (response.status === 204) return undefined;
  const { data, error, meta } = await response.json().catch(() => ({}));
  if (data) return data;
  throw new Problem(messageFor(response, error, meta), response.status);
}

/** Retries a 429 with `Retry-After: 1`, which guarantees that the request had no effect. */
async function fetchWithRetry(url, request, attempts = 1) {
  const response = await fetch(url, request);
  const isMomentary = response.status === 429 && response.headers.get('Retry-After') === '1';
  if (!isMomentary || attempts === ATTEMPTS_MAX) return response;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return fetchWithRetry(url, request, attempts + 1);
}

function messageFor({ status, headers }, error, meta) {
  const advice = {
    401: 'Sign in again.',
    403: 'Ask an owner of that organization to invite you, or log out and use another address.',
    404: 'Reload the page.',
    409: 'Log out and sign in again.',
    429: `Wait ${headers.get('Retry-After') ?? 'some'} seconds, then try again.`,
  };
  const message = (error?.message ?? `The API answered ${status}`).replace(/\.?$/, '.');
  const reference = status >= 500 && meta?.request_id ? ` (Request ${meta.request_id}.)` : '';
  return `${message} ${advice[status] ?? (status >= 500 ? 'Try again in a moment.' : '')}${reference}`.trim();
}

/** Redirects to the identity provider. The verifier and the state stay in this tab. */
async function startSignIn() {
  const pending = { verifier: randomText(), state: randomText() };
  sessionStorage.setItem(pendingKey, JSON.stringify(pending));
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    // Otherwise the provider would reuse its last session.
    prompt: 'login',
    state: pending.state,
    code_challenge: base64url(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier)),
    ),
    code_challenge_method: 'S256',
  };
  const url = new URL(authorize);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Reads the provider's answer from the URL and removes it from the URL and the history. */
function readAnswer() {
  const answer = Object.fromEntries(new URLSearchParams(location.search));
  const pending = JSON.parse(sessionStorage.getItem(pendingKey) ?? 'null');
  if (!answer.code && !answer.error) return undefined;
  history.replaceState(null, '', location.pathname);
  sessionStorage.removeItem(pendingKey);
  if (!pending || answer.state !== pending.state)
    throw new Problem('That answer belongs to another sign-in. Sign in again.');
  if (answer.error)
    throw new Problem(
      `The identity provider refused: ${answer.error_description ?? answer.error}. Sign in again.`,
    );
  return { code: answer.code, code_verifier: pending.verifier };
}

/** Completes the sign-in that the provider answered; without an answer, resumes the session of the cookie. */
async function enter() {
  const answer = readAnswer();
  if (!answer) return resume();
  await show(await callExclusively('/v1/auth/identity/token', answer));
  otherTabs.postMessage('changed');
}

async function resume() {
  try {
    await show(await callExclusively('/v1/auth/refresh'));
  } catch (error) {
    accessToken = '';
    if (error.status !== 401) throw error;
    showSection('signed-out');
  }
}

async function signUp() {
  const organization = find('#organization').value.trim();
  if (!organization) {
    find('#organization').focus();
    throw new Problem('Please name your organization.');
  }
  await show(await callExclusively('/v1/auth/complete-signup', { organization_name: organization }));
  otherTabs.postMessage('changed');
}

async function accept(id) {
  await show(await callExclusively(`/v1/invitations/${id}/accept`));
  otherTabs.postMessage('changed');
}

async function decline(id) {
  await call(`/v1/invitations/${id}/decline`);
  await showInvitations();
}

async function logOut() {
  await callExclusively('/v1/auth/logout');
  accessToken = '';
  showSection('signed-out');
  otherTabs.postMessage('changed');
}

/** Shows a session. One without a user belongs to a person who has no organization yet. */
async function show({ access_token, user, account }) {
  accessToken = access_token;
  if (!user) return showInvitations();
  const fields = {
    name: user.name,
    email: user.email,
    role: user.role,
    organization: account.organization_name,
  };
  for (const [name, value] of Object.entries(fields)) find(`[data-field=${name}]`).textContent = value;
  find('#renewed').textContent = `Session renewed at ${new Date().toLocaleTimeString()}.`;
  showSection('signed-in');
}

/** Shows the invitations of the person; without any, the form for an own organization. */
async function showInvitations() {
  const { invitations } = await send('/v1/me', { headers: {} });
  find('#invitations').replaceChildren(...invitations.map(itemOf));
  showSection(invitations.length > 0 ? 'invited' : 'naming');
}

function itemOf({ invitation_id: id, organization_name, role, invited_by, expires_at }) {
  const item = find('#invitation').content.cloneNode(true);
  const texts = {
    organization: organization_name,
    role,
    inviter: invited_by === null ? '' : ` (${invited_by})`,
    until: new Date(expires_at * 1_000).toLocaleDateString(),
  };
  for (const [name, value] of Object.entries(texts))
    item.querySelector(`[data-text=${name}]`).textContent = value;
  item.querySelector('[data-accept]').addEventListener('click', () => attempt(() => accept(id)));
  item.querySelector('[data-decline]').addEventListener('click', () => attempt(() => decline(id)));
  return item;
}

const titles = {
  'signed-out': 'Sign in',
  invited: 'You are invited',
  naming: 'Name your organization',
  'signed-in': 'Signed in',
};

/** Shows one section of the page and focuses its first field or its heading, for screen readers. */
function showSection(id) {
  const section = find(`#${id}`);
  if (!section.hidden) return;
  const isFirst = !find('#looking').hidden;
  for (const one of document.querySelectorAll('section')) one.hidden = one !== section;
  document.title = `${titles[id]} · vaultsvc`;
  if (!isFirst || id === 'naming') (section.querySelector('input') ?? section.querySelector('h1')).focus();
}

/** Runs one action at a time: a click during another action is ignored. */
async function attempt(work) {
  if (isBusy) return;
  isBusy = true;
  find('main').setAttribute('aria-busy', 'true');
  find('#problem').textContent = '';
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Problem)) console.error(error);
    if (!find('#looking').hidden) showSection('signed-out');
    find('#problem').textContent = error.message;
  } finally {
    isBusy = false;
    find('main').removeAttribute('aria-busy');
  }
}

function randomText() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

find('#sign-in').addEventListener('click', () => attempt(startSignIn));
find('#refresh').addEventListener('click', () => attempt(resume));
find('#found').addEventListener('click', () => showSection('naming'));
find('#sign-up').addEventListener('submit', (event) => {
  event.preventDefault();
  attempt(signUp);
});
for (const button of document.querySelectorAll('[data-log-out]'))
  button.addEventListener('click', () => attempt(logOut));
otherTabs.addEventListener('message', () => attempt(resume));

find('#looking').hidden = false;
attempt(enter);
