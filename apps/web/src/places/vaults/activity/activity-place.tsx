import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { commonTexts } from '../../../texts/common.js';
import { vaultActivityTexts as texts } from '../../../texts/vault-activity.js';
import { Button } from '../../../ui/button.js';
import { momentText } from '../../../ui/format.js';
import { List, Row } from '../../../ui/list.js';
import { Empty, Failed, Loading } from '../../../ui/states.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { VaultPage } from '../open/vault-page.js';
import { vaultKeys } from '../open/vault-queries.js';

const PAGE = 50;

/** What was done in a vault, newest first. */
export function Place() {
  return (
    <VaultPage>
      <Activity />
    </VaultPage>
  );
}

function Activity() {
  const { client, vaultId } = useOpenVault();
  const entries = useInfiniteQuery({
    queryKey: vaultKeys.activity(vaultId),
    queryFn: async ({ pageParam, signal }) => {
      const params = { path: { vault_id: vaultId }, query: { limit: PAGE, cursor: pageParam } };
      return (await client.GET('/v1/vaults/{vault_id}/audit-logs', { params, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  if (entries.isPending) return <Loading />;
  if (entries.isError) return <Failed error={entries.error} retry={() => void entries.refetch()} />;
  const all = entries.data.pages.flatMap((page) => page.entries);
  if (all.length === 0) return <Empty icon="vault" text={texts.empty} />;
  return (
    <>
      <p className="hint">{texts.hint}</p>
      <List label={texts.list} items={all} keyOf={({ event_id: id }) => id}>
        {(entry) => <Entry entry={entry} />}
      </List>
      {entries.hasNextPage && (
        <div className="actions">
          <Button
            kind="quiet"
            isBusy={entries.isFetchingNextPage}
            onPress={() => void entries.fetchNextPage()}
          >
            {commonTexts.more}
          </Button>
        </div>
      )}
    </>
  );
}

/** A type that this page does not know is shown as the API names it. */
function Entry({ entry }: { readonly entry: Schema<'AuditEntry'> }) {
  const { event_type: type, actor_display: actor, timestamp } = entry;
  const details = (
    <>
      <bdi>{actor ?? texts.somebody}</bdi> · {momentText(timestamp)}
    </>
  );
  return <Row title={texts.types[type] ?? type} details={details} />;
}
