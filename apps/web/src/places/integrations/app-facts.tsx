import type { ReactNode } from 'react';
import { integrationsTexts as texts } from '../../texts/integrations.js';
import { momentText } from '../../ui/format.js';
import { stateOf } from './app-state.js';
import { useChatUsage } from './chat-usage.js';
import type { ListedApp } from './use-apps.js';

/** Since when it is connected, by whom and with what, and how it is used; its price before that. */
export function AppFacts({ app }: { readonly app: ListedApp }) {
  const { app_id: appId, installed_at: since, installedBy, remote_id: remote, pricing } = app;
  const isChat = appId === 'chatapp' && stateOf(app) === 'connected';
  const usage = useChatUsage(isChat);
  return (
    <dl className="facts">
      {remote !== null && <Fact term={texts.remote[appId]}>{usage.data?.workspace ?? remote}</Fact>}
      {since !== null && <Fact term={texts.since}>{momentText(since)}</Fact>}
      {since !== null && installedBy && <Fact term={texts.by}>{installedBy}</Fact>}
      {isChat && usage.data && (
        <Fact term={texts.usage}>{texts.totals(usage.data.created, usage.data.read)}</Fact>
      )}
      {isChat && usage.isError && <Fact term={texts.usage}>{texts.usageFailed}</Fact>}
      {since === null && <Fact term={texts.price}>{pricing.description}</Fact>}
    </dl>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </>
  );
}
