import type { BandwidthPool, UsagePool, UsagePools } from '@vaultsvc/contracts/reporting';
import { element, paragraph } from '../../page-client/elements.js';
import { dateText, sizeText } from '../../page-client/format.js';
import { Panel } from './panel.js';
import type { Session } from './session.js';
import { countOf, countText, percentText } from './texts.js';

/** The state in words, because colour alone does not tell everybody (WCAG 2.2, 1.4.1). */
const states: Readonly<Record<UsagePool['state'], string>> = {
  ok: 'Enough left',
  notice: 'More than three quarters used',
  warning: 'Almost used up',
  exhausted: 'Used up',
};

/** Texts for a pool that is used up. */
const refusals = {
  storage: 'New secrets and uploads are refused until you delete some.',
  bandwidth: 'New secrets and uploads are refused until the cycle ends.',
  identity: 'Nobody else can be invited.',
};

/** The pools of the account. */
export function poolsPanel(session: Session): Panel<UsagePools> {
  return new Panel({
    id: 'pools',
    title: 'Pools',
    height: '9rem',
    read: async () => (await session.client.GET('/v1/usage/pools')).data,
    show: ({ storage, bandwidth, identity }) => [
      element(
        'ul',
        { class: 'cards' },
        poolCard(
          'Storage',
          storage,
          `${sizeText(storage.used)} of ${sizeText(storage.limit)}`,
          refusals.storage,
        ),
        poolCard(
          'Bandwidth',
          bandwidth,
          `${sizeText(bandwidth.used)} of ${sizeText(bandwidth.limit)}`,
          refusals.bandwidth,
          `Starts again on ${dateText((bandwidth satisfies BandwidthPool).cycle_resets_at)}.`,
        ),
        poolCard(
          'Users',
          identity,
          `${countText(identity.used)} of ${countOf(identity.limit, 'seat', 'seats')}`,
          refusals.identity,
        ),
      ),
    ],
  });
}

function poolCard(
  title: string,
  { pct, state }: UsagePool,
  amount: string,
  refusal: string,
  note = '',
): HTMLElement {
  const words = `${percentText(pct)} used. ${states[state]}.`;
  const fill = element('div', {});
  fill.style.width = `${Math.min(100, pct * 100)}%`;
  const bar = element(
    'div',
    {
      class: `bar ${state}`,
      role: 'meter',
      'aria-label': title,
      'aria-valuemin': '0',
      'aria-valuemax': '100',
      'aria-valuenow': String(Math.min(100, Math.round(pct * 100))),
      'aria-valuetext': `${amount}. ${words}`,
    },
    fill,
  );
  const detail = [state === 'exhausted' ? refusal : '', note].filter(Boolean).join(' ');
  return element(
    'li',
    { class: 'card' },
    element('h3', {}, title),
    element('p', { class: 'amount' }, amount),
    bar,
    element('p', { class: `state ${state}` }, words),
    ...(detail ? [paragraph(detail)] : []),
  );
}
