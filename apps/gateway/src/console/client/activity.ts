import type { Activity, ActivityEvent } from '@vaultsvc/contracts/reporting';
import { drawing, element, paragraph } from '../../page-client/elements.js';
import { clockText, momentText } from '../../page-client/format.js';
import { Panel } from './panel.js';
import type { Session } from './session.js';

const LIMIT = 50;

/** Line drawings by the name of an icon (RPT-16). */
const icons: Readonly<Record<string, string>> = {
  spark: 'M12 3l2 7 7 2-7 2-2 7-2-7-7-2 7-2z',
  link: 'M10 14a4 4 0 0 1 0-5.6l2.4-2.4a4 4 0 0 1 5.6 5.6L16.5 13M14 10a4 4 0 0 1 0 5.6L11.6 18A4 4 0 0 1 6 12.4L7.5 11',
  vault: 'M4 5h16v13H4zM7 18v2M17 18v2M12 8.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 8.5v6',
  key: 'M8 12a3.5 3.5 0 1 0 0 .1M11.5 12H20v3M16 12v2.5',
  folder: 'M3 6h6l2 2h10v11H3z',
  file: 'M7 3h7l4 4v14H7zM14 3v4h4',
  table: 'M4 5h16v14H4zM4 10h16M10 5v14',
  random: 'M5 5h14v14H5zM9 9v.2M15 15v.2M15 9v.2M9 15v.2',
};

/** The newest events of the last 24 hours. */
export function activityPanel(session: Session): Panel<Activity> {
  return new Panel({
    id: 'activity',
    title: 'Activity',
    hint: 'The last 24 hours, newest first.',
    height: '16rem',
    read: async () =>
      (await session.client.GET('/v1/analytics/activity', { params: { query: { limit: `${LIMIT}` } } })).data,
    show: ({ events }) =>
      events.length === 0
        ? [element('p', { class: 'empty' }, 'Nothing happened in the last 24 hours.')]
        : [
            element(
              'ol',
              { class: 'feed', tabindex: '0', 'aria-label': 'Activity' },
              ...events.map(eventItem),
            ),
            ...(events.length < LIMIT ? [] : [paragraph(`These are the newest ${LIMIT} events.`)]),
          ],
  });
}

function eventItem({
  description,
  icon,
  reference_id: reference,
  timestamp,
  datetime,
}: ActivityEvent): HTMLElement {
  return element(
    'li',
    {},
    drawing(icons[icon] ?? icons['spark'] ?? ''),
    element(
      'div',
      {},
      element('p', {}, description),
      ...(reference ? [element('p', { class: 'id' }, reference)] : []),
    ),
    element('time', { datetime, title: momentText(timestamp) }, clockText(timestamp)),
  );
}
