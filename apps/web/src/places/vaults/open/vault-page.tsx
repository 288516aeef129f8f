import { Link } from '@tanstack/react-router';
import { ApiError } from '@vaultsvc/client';
import { useEffect, type ReactNode } from 'react';
import { vaultTexts as texts } from '../../../texts/vault.js';
import { focusHeading, Page } from '../../../ui/page.js';
import { Empty, Failed, Loading } from '../../../ui/states.js';
import { UnkeptNotice } from '../new/unkept-notice.js';
import { WaitingNotice } from '../waiting/waiting-notice.js';
import { OpenBar } from './open-bar.js';
import { closeVault } from './open-vaults.js';
import { UnsealForm } from './unseal-form.js';
import { OpenVaultContext, useOpened } from './use-open-vault.js';
import { useVault, useVaultId } from './vault-queries.js';

interface Props {
  readonly children: ReactNode;
  /** Whether the page shows what only the open vault gives. */
  readonly isInside?: boolean;
  /** Whether the page shows the files, and so the waiting file itself once the vault is open. */
  readonly isFiles?: boolean;
}

/** A page of a vault: its name, its parts, and the key form while it is not open here. */
export function VaultPage({ children, isInside = true, isFiles = false }: Props) {
  const vaultId = useVaultId();
  const opened = useOpened(vaultId);
  const vault = useVault(vaultId, { isWatched: opened !== undefined });
  const isSealed = vault.data?.status === 'sealed';
  useEffect(() => {
    if (isSealed) closeVault(vaultId, 'sealed');
  }, [isSealed, vaultId]);
  const isOpen = opened !== undefined;
  useEffect(() => {
    // The form that had the focus is gone.
    if (isOpen) focusHeading();
  }, [isOpen]);
  const name = vault.data?.name ?? '';
  return (
    <Page
      title={texts.one}
      heading={vault.data && <bdi>{name}</bdi>}
      hint={<Link to="/vaults">{texts.all}</Link>}
    >
      {vault.isPending && <Loading />}
      {vault.isError && <NotRead error={vault.error} retry={() => void vault.refetch()} />}
      {vault.data && (
        <div className="stack">
          <UnkeptNotice />
          <Parts vaultId={vaultId} />
          {!(isOpen && isFiles) && (
            <WaitingNotice page={{ kind: isOpen || !isInside ? 'part' : 'locked', vaultId }} />
          )}
          <OpenVaultContext value={opened}>
            {opened && <OpenBar vault={opened} />}
            {opened || !isInside ? (
              children
            ) : (
              <UnsealForm vaultId={vaultId} name={name} isOpenElsewhere={!isSealed} />
            )}
          </OpenVaultContext>
        </div>
      )}
    </Page>
  );
}

function NotRead({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const isMissing = error instanceof ApiError && error.status === 404;
  return isMissing ? <Empty icon="vault" text={texts.missing} /> : <Failed error={error} retry={retry} />;
}

function Parts({ vaultId }: { readonly vaultId: string }) {
  const params = { vaultId };
  const current = { 'aria-current': 'page' } as const;
  return (
    <nav className="parts" aria-label={texts.parts}>
      <Link to="/vaults/$vaultId" params={params} activeOptions={{ exact: true }} activeProps={current}>
        {texts.files}
      </Link>
      <Link to="/vaults/$vaultId/secrets" params={params} activeProps={current}>
        {texts.secrets}
      </Link>
      <Link to="/vaults/$vaultId/keys" params={params} activeProps={current}>
        {texts.keys}
      </Link>
      <Link to="/vaults/$vaultId/activity" params={params} activeProps={current}>
        {texts.activity}
      </Link>
    </nav>
  );
}
