import { useState } from 'react';
import { useClient } from '../../session/session-context.js';
import { integrationsTexts as texts } from '../../texts/integrations.js';
import { FormDialog } from '../../ui/dialog.js';
import { PlaceLink } from '../../ui/place-link.js';
import { Select } from '../../ui/select.js';
import { Failed, Loading } from '../../ui/states.js';
import { keepPending, redirectUriOf } from './pending-connection.js';
import { useVaultChoice, type App } from './use-apps.js';

interface Props {
  readonly app: App;
  readonly onClose: () => void;
}

/** Leads to the consent page of the provider; a CRM needs a vault first. */
export function ConnectDialog({ app: { app_id: appId, name }, onClose }: Props) {
  const client = useClient();
  const needsVault = appId !== 'chatapp';
  const vaults = useVaultChoice(needsVault);
  const [chosen, choose] = useState<string>();
  const vaultId = needsVault ? (chosen ?? vaults.data?.[0]?.vault_id) : undefined;
  const start = async () => {
    const redirectUri = redirectUriOf(appId);
    const { data } = await client.POST('/v1/apps/{app_id}/oauth/start', {
      params: { path: { app_id: appId } },
      body: { redirect_uri: redirectUri },
    });
    keepPending({ appId, state: data.state, redirectUri, vaultId });
    location.assign(data.authorize_url);
  };
  return (
    <FormDialog
      title={texts.connectTitle(name)}
      submit={texts.goOn}
      isDisabled={needsVault && vaultId === undefined}
      act={start}
      onClose={onClose}
    >
      <p>{texts.connectText}</p>
      {needsVault && <VaultField vaults={vaults} value={vaultId ?? ''} onChange={choose} />}
    </FormDialog>
  );
}

interface VaultFieldProps {
  readonly vaults: ReturnType<typeof useVaultChoice>;
  readonly value: string;
  readonly onChange: (vaultId: string) => void;
}

function VaultField({ vaults, value, onChange }: VaultFieldProps) {
  if (vaults.isPending) return <Loading />;
  if (vaults.isError) return <Failed error={vaults.error} retry={() => void vaults.refetch()} />;
  if (vaults.data.length === 0)
    return (
      <p className="remark">
        {texts.noVault} <PlaceLink to="/vaults/new">{texts.toVaults}</PlaceLink>
      </p>
    );
  const options = vaults.data.map(({ vault_id: id, name }) => ({ value: id, text: name }));
  return (
    <Select label={texts.vault} hint={texts.vaultHint} options={options} value={value} onChange={onChange} />
  );
}
