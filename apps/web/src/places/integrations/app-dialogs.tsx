import { useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../session/session-context.js';
import { integrationsTexts as texts } from '../../texts/integrations.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { toast } from '../../ui/toast.js';
import { sessionSecretStore } from './session-secret.js';
import { integrationsKey, type App } from './use-apps.js';

interface Props {
  readonly app: App;
  readonly onClose: () => void;
}

export function DisconnectDialog({ app: { app_id: appId, name, remote_id: remote }, onClose }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const disconnect = async () => {
    await client.DELETE('/v1/apps/{app_id}', { params: { path: { app_id: appId } } });
    await queries.invalidateQueries({ queryKey: integrationsKey });
    toast(texts.disconnected(name));
  };
  return (
    <ConfirmDialog
      title={texts.disconnectTitle(name)}
      text={texts.disconnectTexts[appId]}
      confirm={remote === null ? texts.remove : texts.disconnect}
      act={disconnect}
      onClose={onClose}
    />
  );
}

/** Makes the next session secret of the org, which the place then shows this once. */
export function SecretDialog({ onClose }: Pick<Props, 'onClose'>) {
  const client = useClient();
  const make = async () => {
    const { data } = await client.POST('/v1/apps/crmb/session-secret');
    sessionSecretStore.set({ kept: { org: data.org_id, secret: data.session_secret } });
  };
  return (
    <ConfirmDialog
      title={texts.newSecretTitle}
      text={texts.newSecretText}
      confirm={texts.makeSecret}
      act={make}
      onClose={onClose}
    />
  );
}
