// The browser's part of a sign-in.
import { call, callExclusively, Problem, send, setting, useAccessToken } from './session-api.client.ts';

/** A person in an organization. */
interface User {
  name: string;
  email: string;
  role: string;
}

/** A session of the API. One without a user belongs to a person who has no organization yet. */
interface Session {
  access_token: string;
  user?: User | null;
  account?: { organization_name: string } | null;
}

interface Invitation {
  invitation_id: string;
  organization_name: string;
  role: string;
  invited_by: string | null;
  /** Seconds since 1970. */
  expires_at: number;
}

/** What this tab keeps during the visit to the identity provider. */
interface PendingSignIn {
  verifier: string;
  state: string;
}

const pendingKey = 'vaultsvc-sign-in';
const otherTabs = new BroadcastChannel('vaultsvc-session');
let isBusy = false;

function find(selector: string, within: ParentNode = document): HTMLElement {
  return findOf(HTMLElement, selector, within);
}

function findOf<E extends HTMLElement>(
  kind: new () => E,
  selector: string,
  within: ParentNode = document,
): E {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new TypeError(`The page has no ${kind.name} at ${selector}`);
  return found;
}

/** Redirects to the identity provider. The verifier and the state stay in this tab. */
async function startSignIn() {
  const pending: PendingSignIn = { verifier: randomText(), state: randomText() };
  sessionStorage.setItem(pendingKey, JSON.stringify(pending));
  const parameters = {
    response_type: 'code',
    client_id: setting('clientId'),
    redirect_uri: setting('redirectUri'),
    scope: setting('scope'),
    // Otherwise the provider would reuse its last session.
    prompt: 'login',
    state: pending.state,
    code_challenge: base64url(await sha256(pending.verifier)),
    code_challenge_method: 'S256',
  };
  const url = new URL(setting('authorize'));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Reads the provider's answer from the URL and removes it from the URL and the history. */
function readAnswer() {
  const answer = Object.fromEntries(new URLSearchParams(location.search));
  const pending: unknown = JSON.parse(sessionStorage.getItem(pendingKey) ?? 'null');
  if (!answer.code && !answer.error) return undefined;
  history.replaceState(null, '', location.pathname);
  sessionStorage.removeItem(pendingKey);
  if (!isPendingSignIn(pending) || answer.state !== pending.state)
    throw new Problem('That answer belongs to another sign-in. Sign in again.');
  if (answer.error)
    throw new Problem(
      `The identity provider refused: ${answer.error_description ?? answer.error}. Sign in again.`,
    );
  return { code: answer.code, code_verifier: pending.verifier };
}

function isPendingSignIn(value: unknown): value is PendingSignIn {
  return typeof value === 'object' && value !== null && 'verifier' in value && 'state' in value;
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
    useAccessToken('');
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    showSection('signed-out');
  }
}

async function signUp() {
  const field = findOf(HTMLInputElement, '#organization');
  const organization = field.value.trim();
  if (!organization) {
    field.focus();
    throw new Problem('Please name your organization.');
  }
  await show(await callExclusively('/v1/auth/complete-signup', { organization_name: organization }));
  otherTabs.postMessage('changed');
}

async function accept(id: string) {
  await show(await callExclusively(`/v1/invitations/${id}/accept`));
  otherTabs.postMessage('changed');
}

async function decline(id: string) {
  await call(`/v1/invitations/${id}/decline`);
  await showInvitations();
}

async function logOut() {
  await callExclusively('/v1/auth/logout');
  useAccessToken('');
  showSection('signed-out');
  otherTabs.postMessage('changed');
}

async function show(session: unknown) {
  if (!isSession(session)) throw new TypeError('The API answered without a session.');
  const { access_token, user, account } = session;
  useAccessToken(access_token);
  if (!user || !account) return showInvitations();
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

function isSession(value: unknown): value is Session {
  return typeof value === 'object' && value !== null && 'access_token' in value;
}

/** Shows the invitations of the person; without any, the form for an own organization. */
async function showInvitations() {
  const me = await send('/v1/me', { headers: {} });
  if (!isInvited(me)) throw new TypeError('The API answered without invitations.');
  const { invitations } = me;
  find('#invitations').replaceChildren(...invitations.map(itemOf));
  showSection(invitations.length > 0 ? 'invited' : 'naming');
}

function isInvited(value: unknown): value is { invitations: Invitation[] } {
  return (
    typeof value === 'object' && value !== null && 'invitations' in value && Array.isArray(value.invitations)
  );
}

function itemOf({ invitation_id: id, organization_name, role, invited_by, expires_at }: Invitation) {
  const item = document.importNode(findOf(HTMLTemplateElement, '#invitation').content, true);
  const texts = {
    organization: organization_name,
    role,
    inviter: invited_by === null ? '' : ` (${invited_by})`,
    until: new Date(expires_at * 1_000).toLocaleDateString(),
  };
  for (const [name, value] of Object.entries(texts)) find(`[data-text=${name}]`, item).textContent = value;
  find('[data-accept]', item).addEventListener('click', () => void attempt(() => accept(id)));
  find('[data-decline]', item).addEventListener('click', () => void attempt(() => decline(id)));
  return item;
}

const titles = {
  'signed-out': 'Sign in',
  invited: 'You are invited',
  naming: 'Name your organization',
  'signed-in': 'Signed in',
};

/** Shows one section of the page and focuses its first field or its heading, for screen readers. */
function showSection(id: keyof typeof titles) {
  const section = find(`#${id}`);
  if (!section.hidden) return;
  const isFirst = !find('#looking').hidden;
  for (const one of document.querySelectorAll('section')) one.hidden = one !== section;
  document.title = `${titles[id]} · vaultsvc`;
  if (!isFirst || id === 'naming') (section.querySelector('input') ?? find('h1', section)).focus();
}

/** Runs one action at a time: a click during another action is ignored. */
async function attempt(work: () => Promise<void>) {
  if (isBusy) return;
  isBusy = true;
  find('main').setAttribute('aria-busy', 'true');
  find('#problem').textContent = '';
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Problem)) console.error(error);
    if (!find('#looking').hidden) showSection('signed-out');
    find('#problem').textContent = error instanceof Error ? error.message : String(error);
  } finally {
    isBusy = false;
    find('main').removeAttribute('aria-busy');
  }
}

async function sha256(text: string) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

function randomText() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

find('#sign-in').addEventListener('click', () => void attempt(startSignIn));
find('#application').setAttribute('href', `${setting('api')}/app`);
find('#refresh').addEventListener('click', () => void attempt(resume));
find('#found').addEventListener('click', () => showSection('naming'));
find('#sign-up').addEventListener('submit', (event) => {
  event.preventDefault();
  void attempt(signUp);
});
for (const button of document.querySelectorAll('[data-log-out]'))
  button.addEventListener('click', () => void attempt(logOut));
otherTabs.addEventListener('message', () => void attempt(resume));

find('#looking').hidden = false;
void attempt(enter);
