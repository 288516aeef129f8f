import { Link } from '@tanstack/react-router';
import type { Schema } from '@vaultsvc/client';
import { commonTexts } from '../../texts/common.js';
import { vaultsTexts as texts } from '../../texts/vaults.js';
import { Button } from '../../ui/button.js';
import { bytesText, dateText } from '../../ui/format.js';
import { Badge, List, Row } from '../../ui/list.js';
import { Page } from '../../ui/page.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { UnkeptNotice } from './new/unkept-notice.js';
import { useVaults } from './open/vault-queries.js';
import { WaitingNotice } from './waiting/waiting-notice.js';

/** The vaults of the organization. */
export function Place() {
  return (
    <Page title={texts.title} hint={texts.hint} actions={<CreateLink kind="quiet" />}>
      <div className="stack">
        <UnkeptNotice />
        <WaitingNotice page={{ kind: 'list' }} />
        <Vaults />
      </div>
    </Page>
  );
}

function CreateLink({ kind }: { readonly kind: 'main' | 'quiet' }) {
  return (
    <Link to="/vaults/new" className={`button ${kind}`}>
      {texts.create}
    </Link>
  );
}

function Vaults() {
  const vaults = useVaults();
  if (vaults.isPending) return <Loading />;
  if (vaults.isError) return <Failed error={vaults.error} retry={() => void vaults.refetch()} />;
  const all = vaults.data.pages.flatMap((page) => page.vaults);
  if (all.length === 0) return <Empty icon="vault" text={texts.empty} />;
  return (
    <>
      <List label={texts.list} items={all} keyOf={({ vault_id: id }) => id}>
        {(vault) => <VaultRow vault={vault} />}
      </List>
      {vaults.hasNextPage && (
        <div className="actions after">
          <Button kind="quiet" isBusy={vaults.isFetchingNextPage} onPress={() => void vaults.fetchNextPage()}>
            {commonTexts.more}
          </Button>
        </div>
      )}
    </>
  );
}

/** It opens wherever it is pressed: the link covers the row. */
function VaultRow({ vault }: { readonly vault: Schema<'VaultSummary'> }) {
  const { vault_id: vaultId, name, ingot_count: files, storage_bytes: bytes, created_at: created } = vault;
  const isDeleting = vault.status === 'deleting';
  const title = isDeleting ? (
    <bdi>{name}</bdi>
  ) : (
    <Link to="/vaults/$vaultId" params={{ vaultId }} className="row-link">
      <bdi>{name}</bdi>
    </Link>
  );
  return (
    <Row
      title={title}
      state={isDeleting && <Badge kind="plain">{texts.deleting}</Badge>}
      details={texts.facts(files, bytesText(bytes), dateText(created))}
    />
  );
}
