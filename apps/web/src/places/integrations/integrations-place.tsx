import { useState } from 'react';
import { useKept } from '../../api/kept.js';
import { useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { integrationsTexts as texts } from '../../texts/integrations.js';
import { Page } from '../../ui/page.js';
import { Failed, Loading } from '../../ui/states.js';
import { AppCard, type Task } from './app-card.js';
import { DisconnectDialog, SecretDialog } from './app-dialogs.js';
import { ConnectDialog } from './connect-dialog.js';
import { SecretPage } from './secret-page.js';
import { sessionSecretStore } from './session-secret.js';
import { UsageDialog } from './usage-dialog.js';
import { useApps, type App } from './use-apps.js';

/** The chat and the CRMs of the organization. */
export function Place() {
  const { kept } = useKept(sessionSecretStore);
  return kept ? <SecretPage value={kept} /> : <Integrations />;
}

interface OpenTask {
  readonly task: Task;
  readonly app: App;
}

function Integrations() {
  const canManage = isManager(useMember());
  const [open, setOpen] = useState<OpenTask>();
  return (
    <Page title={texts.title} hint={canManage ? texts.hint : `${texts.hint} ${texts.readOnly}`}>
      <Apps canManage={canManage} onTask={setOpen} />
      {open && <TaskDialog {...open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

interface AppsProps {
  readonly canManage: boolean;
  readonly onTask: (open: OpenTask) => void;
}

function Apps({ canManage, onTask }: AppsProps) {
  const apps = useApps();
  if (apps.isPending) return <Loading />;
  if (apps.isError) return <Failed error={apps.error} retry={() => void apps.refetch()} />;
  return (
    <div className="sections">
      {apps.data.map((app) => (
        <AppCard key={app.app_id} app={app} canManage={canManage} onTask={(task) => onTask({ task, app })} />
      ))}
    </div>
  );
}

function TaskDialog({ task, app, onClose }: OpenTask & { readonly onClose: () => void }) {
  switch (task) {
    case 'connect':
      return <ConnectDialog app={app} onClose={onClose} />;
    case 'disconnect':
      return <DisconnectDialog app={app} onClose={onClose} />;
    case 'secret':
      return <SecretDialog onClose={onClose} />;
    case 'usage':
      return <UsageDialog onClose={onClose} />;
  }
}
