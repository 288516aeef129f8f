import { Link } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../api/query-keys.js';
import { useClient } from '../../session/session-context.js';
import { commonTexts } from '../../texts/common.js';
import { sentTexts } from '../../texts/sent.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { List } from '../../ui/list.js';
import { Page } from '../../ui/page.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { SentItem } from './sent-item.js';
import { useSent } from './use-sent.js';

/** Sparks and their links: what was opened, by whom, and what still waits. */
export function Place() {
  const sent = useSent();
  const refresh = (
    <Button kind="quiet" isBusy={sent.isFetching} onPress={() => void sent.refetch()}>
      {sentTexts.refresh}
    </Button>
  );
  return (
    <Page title={sentTexts.title} hint={sentTexts.hint} actions={refresh}>
      <Content sent={sent} />
    </Page>
  );
}

function Content({ sent }: { readonly sent: ReturnType<typeof useSent> }) {
  const [withdrawn, withdraw] = useState<string>();
  if (sent.isPending) return <Loading />;
  if (sent.isError) return <Failed error={sent.error} retry={() => void sent.refetch()} />;
  const rows = sent.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0)
    return (
      <Empty icon="sent" text={sentTexts.empty}>
        <Link to="/send">{sentTexts.send}</Link>
      </Empty>
    );
  return (
    <>
      <List label={sentTexts.list} items={rows} keyOf={({ sparkId }) => sparkId}>
        {(row) => <SentItem row={row} onWithdraw={() => withdraw(row.sparkId)} />}
      </List>
      {sent.hasNextPage && (
        <div className="actions after">
          <Button kind="quiet" isBusy={sent.isFetchingNextPage} onPress={() => void sent.fetchNextPage()}>
            {commonTexts.more}
          </Button>
        </div>
      )}
      {withdrawn !== undefined && <Withdrawal sparkId={withdrawn} onClose={() => withdraw(undefined)} />}
    </>
  );
}

function Withdrawal({ sparkId, onClose }: { readonly sparkId: string; readonly onClose: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const act = async () => {
    await client.DELETE('/v1/sparks/{spark_id}', { params: { path: { spark_id: sparkId } } });
    await queries.invalidateQueries({ queryKey: queryKeys.sent });
    toast(sentTexts.withdrawn);
  };
  return (
    <ConfirmDialog
      title={sentTexts.withdrawTitle}
      text={sentTexts.withdrawText}
      confirm={sentTexts.withdraw}
      act={act}
      onClose={onClose}
    />
  );
}
