import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../../../api/query-client.js';
import { secretsTexts as texts } from '../../../texts/secrets.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { focusHeading } from '../../../ui/page.js';
import { Row } from '../../../ui/list.js';
import { Empty, Failed, Loading } from '../../../ui/states.js';
import { VirtualList } from '../../../ui/virtual-list.js';
import { useMayWrite, useOpenVault } from '../open/use-open-vault.js';
import { VaultPage } from '../open/vault-page.js';
import { vaultKeys } from '../open/vault-queries.js';
import { DeleteSecret } from './delete-secret.js';
import { ImportDialog } from './import-dialog.js';
import { RevealDialog } from './reveal-dialog.js';
import { noDraft, secretDraft } from './secret-draft.js';
import { SecretDialog } from './secret-dialog.js';
import { useSecretNames } from './use-secrets.js';

/** The names of the secrets of a set. */
export function Place() {
  const { ingotId = '' } = useParams({ strict: false }) as { readonly ingotId?: string };
  return (
    <VaultPage>
      <SecretSet ingotId={ingotId} />
    </VaultPage>
  );
}

function SecretSet({ ingotId }: { readonly ingotId: string }) {
  const { vaultId } = useOpenVault();
  const names = useSecretNames(ingotId);
  const mayWrite = useMayWrite();
  const [opened, open] = useState<{ readonly what: 'reveal' | 'delete'; readonly key: string }>();
  const close = () => open(undefined);
  if (names.isPending) return <Loading />;
  if (names.isError) return <Failed error={names.error} retry={() => void names.refetch()} />;
  const { name, keys } = names.data;
  return (
    <>
      <div>
        <p className="hint">
          <Link to="/vaults/$vaultId/secrets" params={{ vaultId }}>
            {texts.all}
          </Link>
        </p>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <p className="hint">{texts.count(keys.length)}</p>
      </div>
      {mayWrite && <Tools ingotId={ingotId} name={name} />}
      {keys.length === 0 ? (
        <Empty icon="key" text={texts.noNames} />
      ) : (
        <VirtualList label={texts.names} items={keys} keyOf={(key) => key}>
          {(key) => (
            <SecretRow
              name={key}
              ingotId={ingotId}
              onReveal={() => open({ what: 'reveal', key })}
              onDelete={() => open({ what: 'delete', key })}
            />
          )}
        </VirtualList>
      )}
      {opened?.what === 'reveal' && <RevealDialog ingotId={ingotId} name={opened.key} onClose={close} />}
      {opened?.what === 'delete' && <DeleteSecret ingotId={ingotId} name={opened.key} onClose={close} />}
      <SecretDialog ingotId={ingotId} keys={keys} />
      <ImportDialog ingotId={ingotId} keys={keys} />
    </>
  );
}

interface SecretRowProps {
  readonly name: string;
  readonly ingotId: string;
  readonly onReveal: () => void;
  readonly onDelete: () => void;
}

function SecretRow({ name, ingotId, onReveal, onDelete }: SecretRowProps) {
  const mayWrite = useMayWrite();
  const change = () => secretDraft.set({ ...noDraft, mode: 'set', ingotId, key: name, isChange: true });
  const actions = (
    <>
      <Button kind="quiet" label={texts.revealOf(name)} onPress={onReveal}>
        {texts.reveal}
      </Button>
      {mayWrite && (
        <>
          <Button kind="quiet" label={texts.changeOf(name)} onPress={change}>
            {texts.change}
          </Button>
          <Button kind="quiet" label={texts.deleteOf(name)} onPress={onDelete}>
            {texts.delete}
          </Button>
        </>
      )}
    </>
  );
  return <Row title={<bdi translate="no">{name}</bdi>} actions={actions} />;
}

function Tools({ ingotId, name }: { readonly ingotId: string; readonly name: string }) {
  const { client, vaultId } = useOpenVault();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const begin = (mode: 'set' | 'import') => () => secretDraft.set({ ...noDraft, mode, ingotId });
  const deleteSet = async () => {
    const params = { path: { vault_id: vaultId, ingot_id: ingotId } };
    await client.DELETE('/v1/products/structured-ingots/{vault_id}/{ingot_id}', { params });
    await navigate({ to: '/vaults/$vaultId/secrets', params: { vaultId } });
    await queryClient.invalidateQueries({ queryKey: vaultKeys.secrets(vaultId), exact: true });
    focusHeading();
  };
  return (
    <div className="actions">
      <Button onPress={begin('set')}>{texts.add}</Button>
      <Button kind="quiet" onPress={begin('import')}>
        {texts.import}
      </Button>
      <Button kind="quiet" onPress={() => setDeleting(true)}>
        {texts.deleteSet}
      </Button>
      {isDeleting && (
        <ConfirmDialog
          title={texts.deleteSetTitle}
          text={texts.deleteSetText(name)}
          confirm={texts.deleteSet}
          act={deleteSet}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  );
}
