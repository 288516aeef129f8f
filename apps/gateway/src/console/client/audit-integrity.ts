import type { AuditIntegrity } from '@vaultsvc/contracts/reporting';
import { drawing, element, paragraph } from '../../page-client/elements.js';
import { Panel } from './panel.js';
import type { Session } from './session.js';
import { countOf, countText } from './texts.js';

/** Entries that a request verifies; an export is verified as a whole. */
const VERIFIED_ENTRIES = 1_000;

type State = AuditIntegrity['state'];

const icons: Readonly<Record<State, string>> = {
  verified: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5',
  pending: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2',
  broken: 'M12 4L2.5 20h19zM12 10v4M12 17v.2',
};
const titles: Readonly<Record<State, string>> = {
  verified: 'Verified',
  pending: 'Not published yet',
  broken: 'Does not match the published log',
};

/** Whether the entries of the account match the transparency log, and what to do if not (AUD-14). */
export function integrityPanel(session: Session): Panel<AuditIntegrity> {
  return new Panel({
    id: 'integrity',
    title: 'Integrity of the audit log',
    height: '6rem',
    read: async () => (await session.client.GET('/v1/audit-logs/integrity')).data,
    show: (integrity) => [verdict(integrity)],
  });
}

function verdict(integrity: AuditIntegrity): HTMLElement {
  const { state } = integrity;
  return element(
    'div',
    { class: `verdict ${state}` },
    drawing(icons[state]),
    element(
      'div',
      {},
      element('h3', {}, titles[state]),
      ...sentencesOf(integrity).map((text) => paragraph(text)),
    ),
  );
}

function sentencesOf({ state, entries, logged_entries: logged }: AuditIntegrity): string[] {
  if (state === 'broken')
    return [
      'The newest entries do not follow from each other, or differ from what the log has published. Somebody may have changed them.',
      'Export the log now and keep the file. Verify it offline with “npm run audit -- verify”, which names the first wrong entry, and contact the operator of this platform.',
    ];
  if (state === 'pending')
    return [
      `The log has not published ${entries === 1 ? 'your entry' : `your ${countOf(entries, 'entry', 'entries')}`} yet; it does so at least once an hour. Nothing is wrong. Look again later.`,
    ];
  const open = entries - logged;
  return [
    `${entries <= VERIFIED_ENTRIES ? 'All' : `The newest ${countText(VERIFIED_ENTRIES)} of`} ${countOf(entries, 'entry', 'entries')} follow from each other, and the public log contains entry ${countText(logged)}.`,
    ...(open > 0
      ? [`${countOf(open, 'newer entry waits', 'newer entries wait')} for the next publication.`]
      : []),
  ];
}
