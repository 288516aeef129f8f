/* global BroadcastChannel, btoa, document, history, location, navigator, sessionStorage */

// The browser's part of a sign-in. The refresh token lives in a cookie that this script cannot see; the access token
// lives in this variable alone and dies with the tab.
const { api, authorize, clientId, redirectUri, scope } = document.body.dataset;
const begunKey = 'vaultsvc-sign-in';
const TRIES_MAX = 5;
const otherTabs = new BroadcastChannel('vaultsvc-session');
const find = (selector) => document.querySelector(selector);
let accessToken = '';
let isBusy = false;

/** A refusal, in words that say what to do. */
class Problem extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Calls an operation that reads or writes the refresh cookie. Tabs share the cookie, so they take turns: an answer that
 * comes late must not overwrite the cookie of a newer one.
 */
function callInTurn(path, body = {}) {
  return navigator.locks.request('vaultsvc-refresh', () => call(path, body));
}

async function call(path, body) {
  const headers = { 'Content-Type': 'application/json', 'X-VK-Client': 'web' };
  if (accessToken) headers.Authorization = `Bearer ${accessToken}`;
  const request = { method: 'POST', credentials: 'include', headers, body: JSON.stringify(body) };
  const response = await answerTo(api + path, request).catch(() => {
    throw new Problem(`The API at ${api} does not answer. See whether the stack runs, then try again.`);
  });
  if (response.status === 204) return undefined;
  const { data, error, meta } = await response.json().catch(() => ({}));
  if (data) return data;
  throw new Problem(wordsFor(response, error, meta), response.status);
}

/** The answer that counts: a refusal for one second says that nothing was done, and is waited for. */
async function answerTo(url, request, tries = 1) {
  const response = await fetch(url, request);
  const isMomentary = response.status === 429 && response.headers.get('Retry-After') === '1';
  if (!isMomentary || tries === TRIES_MAX) return response;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return answerTo(url, request, tries + 1);
}

function wordsFor({ status, headers }, error, meta) {
  const advice = {
    401: 'Sign in again.',
    403: 'Ask an owner of that organization to invite you, or log out and use another address.',
    409: 'Log out and sign in again.',
    429: `Wait ${headers.get('Retry-After') ?? 'some'} seconds, then try again.`,
  };
  const said = (error?.message ?? `The API answered ${status}`).replace(/\.?$/, '.');
  const reference = status >= 500 && meta?.request_id ? ` (Request ${meta.request_id}.)` : '';
  return `${said} ${advice[status] ?? (status >= 500 ? 'Try again in a moment.' : '')}${reference}`.trim();
}

/** Sends the browser to the identity provider. What it must bring back to be believed stays in this tab. */
async function beginSignIn() {
  const begun = { verifier: randomText(), state: randomText() };
  sessionStorage.setItem(begunKey, JSON.stringify(begun));
  const question = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    // Without it the provider would take whoever signed in last.
    prompt: 'login',
    state: begun.state,
    code_challenge: base64url(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier)),
    ),
    code_challenge_method: 'S256',
  };
  const url = new URL(authorize);
  for (const [name, value] of Object.entries(question)) url.searchParams.set(name, value);
  location.assign(url);
}

/** What the provider sent back, taken out of the address and the history. */
function takeAnswer() {
  const answer = Object.fromEntries(new URLSearchParams(location.search));
  const begun = JSON.parse(sessionStorage.getItem(begunKey) ?? 'null');
  if (!answer.code && !answer.error) return undefined;
  history.replaceState(null, '', location.pathname);
  sessionStorage.removeItem(begunKey);
  if (!begun || answer.state !== begun.state)
    throw new Problem('That answer belongs to another sign-in. Sign in again.');
  if (answer.error)
    throw new Problem(
      `The identity provider refused: ${answer.error_description ?? answer.error}. Sign in again.`,
    );
  return { code: answer.code, code_verifier: begun.verifier };
}

/** Ends the sign-in that the provider answered; without an answer, goes on with the session of the cookie. */
async function enter() {
  const answer = takeAnswer();
  if (!answer) return resume();
  show(await callInTurn('/v1/auth/identity/token', answer));
  otherTabs.postMessage('changed');
}

async function resume() {
  try {
    show(await callInTurn('/v1/auth/refresh'));
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
  show(await callInTurn('/v1/auth/complete-signup', { organization_name: organization }));
  otherTabs.postMessage('changed');
}

async function logOut() {
  await callInTurn('/v1/auth/logout');
  accessToken = '';
  showSection('signed-out');
  otherTabs.postMessage('changed');
}

/** A session as the API answers it; without a user it is one that has yet to name its organization. */
function show({ access_token, user, account }) {
  accessToken = access_token;
  if (!user) return showSection('naming');
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

const titles = { 'signed-out': 'Sign in', naming: 'Name your organization', 'signed-in': 'Signed in' };

/** Shows one part of the page. Whoever cannot see it is led to its heading, or to its first field. */
function showSection(id) {
  const section = find(`#${id}`);
  if (!section.hidden) return;
  const isFirst = !find('#looking').hidden;
  for (const one of document.querySelectorAll('section')) one.hidden = one !== section;
  document.title = `${titles[id]} · vaultsvc`;
  if (!isFirst || id === 'naming') (section.querySelector('input') ?? section.querySelector('h1')).focus();
}

/** One thing at a time: a second click while the first is on its way does nothing. */
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

find('#sign-in').addEventListener('click', () => attempt(beginSignIn));
find('#refresh').addEventListener('click', () => attempt(resume));
find('#sign-up').addEventListener('submit', (event) => {
  event.preventDefault();
  attempt(signUp);
});
for (const button of document.querySelectorAll('[data-log-out]'))
  button.addEventListener('click', () => attempt(logOut));
otherTabs.addEventListener('message', () => attempt(resume));

find('#looking').hidden = false;
attempt(enter);
