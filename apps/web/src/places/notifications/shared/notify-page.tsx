import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMember } from '../../../session/session-context.js';
import { isManager } from '../../../session/session-state.js';
import { notifyTexts as texts } from '../../../texts/notifications.js';
import { Page } from '../../../ui/page.js';

interface Props {
  readonly title: string;
  readonly hint: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with the parts of notifications above its content. */
export function NotifyPage({ title, hint, actions, children }: Props) {
  return (
    <Page title={title} hint={hint} actions={actions}>
      <div className="stack">
        <Parts />
        {children}
      </div>
    </Page>
  );
}

function Parts() {
  const canConfigure = isManager(useMember());
  const current = { 'aria-current': 'page' } as const;
  return (
    <nav className="parts" aria-label={texts.parts}>
      <Link to="/notifications" activeOptions={{ exact: true }} activeProps={current}>
        {texts.sent}
      </Link>
      <Link to="/notifications/feed" activeProps={current}>
        {texts.feed}
      </Link>
      <Link to="/notifications/preferences" activeProps={current}>
        {texts.mine}
      </Link>
      {canConfigure && (
        <Link to="/notifications/configuration" activeProps={current}>
          {texts.configuration}
        </Link>
      )}
    </nav>
  );
}
