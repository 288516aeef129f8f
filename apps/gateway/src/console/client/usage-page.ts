import type { SessionAccount, SessionUser } from '@vaultsvc/contracts/auth';
import { element } from '../../page-client/elements.js';
import { clockText } from '../../page-client/format.js';
import { announce, busyButton, find } from '../../page-client/page-parts.js';
import { activityPanel } from './activity.js';
import { integrityPanel } from './audit-integrity.js';
import { auditPanel } from './audit-list.js';
import { bandwidthPanel, usagePanel } from './charts.js';
import { poolsPanel } from './pools.js';
import type { Session } from './session.js';

/** Shows the figures of an account to an admin; each panel loads on its own. */
export function showUsage(session: Session, account: SessionAccount): void {
  const panels = [
    poolsPanel(session),
    usagePanel(session),
    bandwidthPanel(session),
    activityPanel(session),
    integrityPanel(session),
    auditPanel(session),
  ];
  const updated = element('p', { class: 'hint' });
  const load = async (): Promise<void> => {
    await Promise.all(panels.map((panel) => panel.load()));
    updated.textContent = `As of ${clockText(Date.now() / 1_000)}.`;
  };
  const refresh = async (): Promise<void> => {
    announce('Loading …');
    await load();
    announce('The page is up to date.');
  };
  const heading = element('h1', { tabindex: '-1' }, `Usage of ${account.organization_name}`);
  const top = element(
    'div',
    { class: 'top' },
    element('div', {}, heading, updated),
    busyButton('Refresh', refresh, 'quiet'),
  );
  find('stage').className = '';
  find('stage').replaceChildren(top, ...panels.map((panel) => panel.element));
  document.title = `Usage of ${account.organization_name} · vaultsvc`;
  void load();
}

/** Shows in the header who is signed in, with a button that signs out. */
export function showPerson(user: SessionUser | null, signOut: () => Promise<void>): void {
  find('person').replaceChildren(
    ...(user ? [element('span', {}, element('bdi', {}, user.email))] : []),
    busyButton('Sign out', signOut, 'quiet'),
  );
}

/** Tells above the figures, which stay, that the session has ended. */
export function showEnded(signIn: () => Promise<void>): void {
  if (document.querySelector('.ended')) return;
  find('person').replaceChildren();
  const text = element('p', {}, 'Your session has ended. The figures on this page may be out of date.');
  find('stage').prepend(
    element('div', { class: 'ended problem', role: 'alert' }, text, busyButton('Sign in again', signIn)),
  );
}
