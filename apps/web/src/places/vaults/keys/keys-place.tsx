import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useKept } from '../../../api/kept.js';
import { useClient, useMember } from '../../../session/session-context.js';
import { commonTexts } from '../../../texts/common.js';
import { vaultKeysTexts as texts } from '../../../texts/vault-keys.js';
import { Button } from '../../../ui/button.js';
import { List } from '../../../ui/list.js';
import { Empty, Failed, Loading, Refused } from '../../../ui/states.js';
import { VaultPage } from '../open/vault-page.js';
import { useVaultId, vaultKeys } from '../open/vault-queries.js';
import { KeyCreated } from './key-created.js';
import { KeyForm } from './key-form.js';
import { KeyRow, type Dvak } from './key-row.js';
import { newKey, noKey } from './new-key.js';
import { RevokeKey } from './revoke-key.js';

/** The delegated keys of a vault. They need no open vault. */
export function Place() {
  const { user } = useMember();
  return (
    <VaultPage isInside={false}>
      {user.role === 'member' ? <Refused text={texts.refused} /> : <Keys />}
    </VaultPage>
  );
}

function Keys() {
  const vaultId = useVaultId();
  const { vaultId: formOf, created } = useKept(newKey);
  if (created?.vaultId === vaultId) return <KeyCreated created={created} />;
  return formOf === vaultId ? <KeyForm vaultId={vaultId} /> : <KeyList vaultId={vaultId} />;
}

function KeyList({ vaultId }: { readonly vaultId: string }) {
  const keys = useKeys(vaultId);
  const [revoked, revoke] = useState<Dvak>();
  if (keys.isPending) return <Loading />;
  if (keys.isError) return <Failed error={keys.error} retry={() => void keys.refetch()} />;
  const all = keys.data.pages.flatMap(({ dvaks }) => dvaks);
  return (
    <>
      <p className="hint">{texts.hint}</p>
      <div className="actions">
        <Button icon="key" onPress={() => newKey.set({ ...noKey, vaultId })}>
          {texts.create}
        </Button>
      </div>
      {all.length === 0 ? (
        <Empty icon="key" text={texts.empty} />
      ) : (
        <List
          label={texts.list}
          items={all}
          keyOf={({ last_4_chars: last4, created_at: at }) => `${last4} ${at}`}
        >
          {(key) => <KeyRow dvak={key} onRevoke={() => revoke(key)} />}
        </List>
      )}
      {keys.hasNextPage && (
        <div className="actions">
          <Button kind="quiet" isBusy={keys.isFetchingNextPage} onPress={() => void keys.fetchNextPage()}>
            {commonTexts.more}
          </Button>
        </div>
      )}
      {revoked && <RevokeKey vaultId={vaultId} dvak={revoked} onClose={() => revoke(undefined)} />}
    </>
  );
}

function useKeys(vaultId: string) {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: vaultKeys.keys(vaultId),
    queryFn: async ({ pageParam, signal }) => {
      const params = { path: { vault_id: vaultId }, query: { limit: 100, cursor: pageParam } };
      return (await client.GET('/v1/vaults/{vault_id}/dvaks', { params, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
}
