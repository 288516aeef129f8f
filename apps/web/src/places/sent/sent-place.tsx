import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMember } from '../../session/session-context.js';
import { commonTexts } from '../../texts/common.js';
import { sentTexts } from '../../texts/sent.js';
import { Button } from '../../ui/button.js';
import { List } from '../../ui/list.js';
import { Page } from '../../ui/page.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { OpeningsDialog } from './openings-dialog.js';
import { SentItem } from './sent-item.js';
import type { SentRow } from './sent-row.js';
import { rowsOf, useSent } from './use-sent.js';
import { Withdrawal } from './withdrawal.js';

/** Sparks and links of files: what was opened, when and by whom, and what still waits. */
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
  const me = useMember();
  const [withdrawn, withdraw] = useState<SentRow>();
  const [opened, showOpenings] = useState<SentRow>();
  if (sent.isPending) return <Loading />;
  if (sent.isError) return <Failed error={sent.error} retry={() => void sent.refetch()} />;
  const rows = rowsOf(sent.data.pages, me.user.user_id);
  if (rows.length === 0)
    return (
      <Empty icon="sent" text={sentTexts.empty}>
        <Link to="/send">{sentTexts.send}</Link>
      </Empty>
    );
  return (
    <>
      <List label={sentTexts.list} items={rows} keyOf={({ key }) => key}>
        {(row) => (
          <SentItem row={row} onWithdraw={() => withdraw(row)} onOpenings={() => showOpenings(row)} />
        )}
      </List>
      {sent.hasNextPage && (
        <div className="actions after">
          <Button kind="quiet" isBusy={sent.isFetchingNextPage} onPress={() => void sent.fetchNextPage()}>
            {commonTexts.more}
          </Button>
        </div>
      )}
      {withdrawn && <Withdrawal row={withdrawn} onClose={() => withdraw(undefined)} />}
      {opened && <OpeningsDialog row={opened} onClose={() => showOpenings(undefined)} />}
    </>
  );
}
