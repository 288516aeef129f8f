import type { AuditEntry, ScopedAuditPage } from '@vaultsvc/contracts/reporting';
import { textOf } from '../../page-client/error-text.js';
import { actions, button, element, setDisabled } from '../../page-client/elements.js';
import { momentText } from '../../page-client/format.js';
import { announce } from '../../page-client/page-parts.js';
import { exportControls } from './audit-export.js';
import { Panel } from './panel.js';
import type { Session } from './session.js';
import { countOf, eventText } from './texts.js';
import { TypeFilter } from './type-filter.js';

const PAGE = 25;

/** The audit log of the account by pages, with a filter that the URL keeps. */
export function auditPanel(session: Session): Panel<ScopedAuditPage> {
  const filter = new TypeFilter(() => void panel.load());
  const read = async (cursor?: string) => {
    const query = {
      limit: PAGE,
      ...(filter.type && { event_types: filter.type }),
      ...(cursor !== undefined && { cursor }),
    };
    return (await session.client.GET('/v1/audit-logs', { params: { query } })).data;
  };
  const panel: Panel<ScopedAuditPage> = new Panel({
    id: 'audit',
    title: 'Audit log',
    hint: 'Who did what in this account, newest first. Each vault and each ingot has a log of its own, which the export contains too.',
    tools: element('div', { class: 'tools' }, filter.element, exportControls(session)),
    height: '30rem',
    read,
    show: (page) => {
      filter.offer(page.event_types);
      return entryList(page, read);
    },
  });
  return panel;
}

function entryList(page: ScopedAuditPage, read: (cursor: string) => Promise<ScopedAuditPage>): Node[] {
  if (page.count === 0) return [element('p', { class: 'empty' }, 'There are no entries of this type.')];
  const list = element(
    'ol',
    { class: 'entries', 'aria-label': 'Audit entries' },
    ...page.entries.map(entryItem),
  );
  const footer = element('div', {});
  const offerMore = (cursor: string | undefined, problem = ''): void => {
    footer.replaceChildren();
    if (problem) footer.append(element('p', { class: 'problem', role: 'alert' }, problem));
    if (cursor === undefined) return;
    const more = button('Load more', () => void loadMore(cursor), 'quiet');
    footer.append(actions(more));
  };
  const loadMore = async (cursor: string): Promise<void> => {
    const more = footer.querySelector('button');
    if (more) setDisabled(more, true);
    announce('Loading …');
    try {
      const next = await read(cursor);
      const items = next.entries.map(entryItem);
      list.append(...items);
      offerMore(next.next_cursor);
      announce(`${countOf(next.count, 'more entry', 'more entries')}.`);
      // The button is gone or has moved: go on at the first new entry.
      items[0]?.focus();
    } catch (error) {
      announce('');
      offerMore(cursor, textOf(error));
      footer.querySelector('button')?.focus();
    }
  };
  offerMore(page.next_cursor);
  return [list, footer];
}

function entryItem({
  event_id,
  event_type,
  timestamp,
  details,
  actor_type,
  actor_display,
}: AuditEntry): HTMLElement {
  const facts = Object.entries({ ...details, event_id }).flatMap(([name, value]) => [
    element('dt', {}, name),
    element('dd', {}, typeof value === 'string' ? value : JSON.stringify(value)),
  ]);
  const when = new Date(timestamp * 1_000).toISOString();
  return element(
    'li',
    { tabindex: '-1' },
    element('time', { datetime: when }, momentText(timestamp)),
    element('p', { class: 'type' }, eventText(event_type)),
    element('p', { class: 'actor' }, actorText(actor_type, actor_display)),
    element(
      'details',
      {},
      element(
        'summary',
        { 'aria-label': `Details: ${eventText(event_type)}, ${momentText(timestamp)}` },
        'Details',
      ),
      element('dl', {}, ...facts),
    ),
  );
}

function actorText(type: AuditEntry['actor_type'], display: string | null): string {
  if (type === null) return 'Visitor or platform';
  return type === 'api_key' ? `API key ${display ?? ''}` : (display ?? 'A person');
}
