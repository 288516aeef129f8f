import { sentTexts as texts } from '../../texts/sent.js';
import { momentText } from '../../ui/format.js';
import type { BadgeKind } from '../../ui/list.js';
import type { HistoryItem } from './sent-facts.js';

export interface RowState {
  readonly kind: BadgeKind;
  readonly text: string;
}

/** It cannot be opened any more; the history says why in a moment. */
export const endedState: RowState = { kind: 'plain', text: texts.ended };

/** The state of what the live lists do not have. */
export function historyState(item: HistoryItem, now: number): RowState {
  const { status, expires_at: end, ended_at: withdrawn, openings } = item;
  switch (status) {
    case 'opened':
      return {
        kind: 'good',
        text: openings[0] ? texts.opened(momentText(openings[0].opened_at)) : texts.openedOnce,
      };
    case 'withdrawn':
      return {
        kind: 'plain',
        text: withdrawn === null ? texts.withdrawnState : texts.withdrawnAt(momentText(withdrawn)),
      };
    case 'expired':
      return { kind: 'plain', text: openings.length > 0 ? texts.expiredOpened : texts.expired };
    case 'unknown':
      return { kind: 'plain', text: texts.unknown };
    case 'active':
      return end === null
        ? { kind: 'good', text: texts.durable }
        : { kind: 'warn', text: texts.waiting(Math.max(0, end - now)) };
  }
}
