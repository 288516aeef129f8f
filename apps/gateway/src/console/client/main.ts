import type { PendingInvitation, SignInSession } from '@vaultsvc/contracts/auth';
import { isUnauthorized, textOf } from '../../page-client/error-text.js';
import { element, paragraph } from '../../page-client/elements.js';
import { dateText } from '../../page-client/format.js';
import { showNotice } from '../../page-client/notice.js';
import { find } from '../../page-client/page-parts.js';
import { Session } from './session.js';
import { startSignIn } from './sign-in.js';
import { showEnded, showPerson, showUsage } from './usage-page.js';

/** The part of a guide about people without an organization. */
const SIGN_UP = '/sessions#a-session-without-an-account';

const session = new Session(() => showEnded(() => signIn()));

// A page that the browser restores from its back/forward cache would show figures without a session.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
void enter();

/** Resumes the session of the cookie, which the web application opens at a sign-in. */
async function enter(): Promise<void> {
  try {
    await show(await session.resume());
  } catch (error) {
    if (isUnauthorized(error)) showSignIn();
    else showProblem(error, enter);
  }
}

async function show(opened: SignInSession): Promise<void> {
  const { user, account } = opened;
  showPerson(user, signOut);
  if (!user || !account) return showNoOrganization(await invitations(opened));
  if (user.role === 'member') return showMember(user.email, account.organization_name);
  showUsage(session, account);
}

async function invitations(opened: SignInSession): Promise<readonly PendingInvitation[]> {
  if (opened.invitations) return opened.invitations;
  const { data } = await session.client.GET('/v1/me');
  return data.invitations ?? [];
}

async function signIn(prompt?: 'login'): Promise<void> {
  try {
    await startSignIn(prompt);
  } catch (error) {
    showProblem(error, () => signIn(prompt));
  }
}

async function signOut(): Promise<void> {
  try {
    await session.end();
    find('person').replaceChildren();
    showNotice({
      title: 'You are signed out',
      parts: [
        paragraph('Your identity provider may still remember you. Sign out there too on a shared computer.'),
      ],
      choices: { 'Sign in': () => signIn('login') },
    });
  } catch (error) {
    showProblem(error, signOut);
  }
}

function showSignIn(): void {
  showNotice({
    title: 'Sign in to see the usage',
    parts: [
      paragraph(
        "Your organization's identity provider asks who you are and sends you back here. Owners and admins see what the organization uses.",
      ),
      paragraph('New here? The ', guideLink('', 'guides'), ' say what vaultsvc is, and how to start.'),
    ],
    choices: { 'Sign in': () => signIn() },
  });
}

/** A link to a guide, or to all, that keeps the page with its session. */
function guideLink(path: string, text: string): HTMLAnchorElement {
  return element('a', { href: `/docs/guides${path}`, target: '_blank', rel: 'noopener' }, text);
}

function showMember(email: string, organization: string): void {
  showNotice({
    title: 'An admin is needed',
    parts: [
      paragraph(
        'You are signed in as ',
        element('strong', {}, email),
        ', a member of ',
        element('strong', {}, organization),
        '.',
      ),
      paragraph(
        'Usage and audit log are open to its owners and admins. Ask one of them to make you an admin, or to look for you. Then check again.',
      ),
    ],
    choices: { 'Check again': enter, 'Use another account': () => signIn('login') },
  });
}

function showNoOrganization(pending: readonly PendingInvitation[]): void {
  const items = pending.map(({ organization_name: name, role, expires_at: end }) =>
    element('li', {}, element('strong', {}, name), `, as ${role}, until ${dateText(end)}`),
  );
  const parts =
    items.length > 0
      ? [
          paragraph('You are signed in, and you are invited to:'),
          element('ul', {}, ...items),
          paragraph(
            'Accept one as the guide ',
            guideLink(SIGN_UP, 'Sessions'),
            ' shows: it is one call of the API. Then check again.',
          ),
        ]
      : [
          paragraph('You are signed in, but to no organization, and nobody has invited your e-mail address.'),
          paragraph(
            'If your organization uses vaultsvc, sign in with your account at its identity provider, or ask an admin to invite this address. To create an organization of your own, follow the guide ',
            guideLink(SIGN_UP, 'Sessions'),
            '. Then check again.',
          ),
        ];
  showNotice({
    title: 'You have no organization yet',
    parts,
    choices: { 'Check again': enter, 'Use another account': () => signIn('login') },
  });
}

/** Shows an error and what to do: to sign in where the sign-in was refused, otherwise to try again. */
function showProblem(error: unknown, again: () => Promise<void>): void {
  const isRefused = isUnauthorized(error);
  showNotice({
    title: isRefused ? 'You are not signed in' : 'This did not work',
    parts: [paragraph(textOf(error))],
    choices: isRefused ? { 'Sign in': () => signIn('login') } : { 'Try again': again },
  });
}
