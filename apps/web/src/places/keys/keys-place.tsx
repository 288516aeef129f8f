import { useState } from 'react';
import { useKept } from '../../api/kept.js';
import { useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { commonTexts } from '../../texts/common.js';
import { keysTexts as texts } from '../../texts/keys.js';
import { Button } from '../../ui/button.js';
import { List } from '../../ui/list.js';
import { Page } from '../../ui/page.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { CreateDialog } from './create-dialog.js';
import { KeyItem, type ApiKey } from './key-item.js';
import { newKeyStore } from './new-key.js';
import { NewKeyPage } from './new-key-page.js';
import { RevokeDialog } from './revoke-dialog.js';
import { useKeys } from './use-keys.js';

/** The API keys of the organization. */
export function Place() {
  return <KeysPage />;
}

interface PageProps {
  /** What is open at first. */
  readonly begins?: 'create';
  /** That has been closed. */
  readonly onEnd?: () => void;
}

export function KeysPage(props: PageProps) {
  const { key } = useKept(newKeyStore);
  return key ? <NewKeyPage value={key} /> : <Keys {...props} />;
}

function Keys({ begins, onEnd }: PageProps) {
  const canManage = isManager(useMember());
  const [isCreating, setCreating] = useState(begins === 'create' && canManage);
  const [revoked, revoke] = useState<ApiKey>();
  const close = () => {
    setCreating(false);
    onEnd?.();
  };
  const create = <Button onPress={() => setCreating(true)}>{texts.create}</Button>;
  return (
    <Page
      title={texts.title}
      hint={canManage ? texts.hint : `${texts.hint} ${texts.readOnly}`}
      actions={canManage && create}
    >
      <KeyList onRevoke={canManage ? revoke : undefined} />
      {isCreating && <CreateDialog onClose={close} />}
      {revoked && (
        <RevokeDialog id={revoked.api_key_id} name={revoked.name} onClose={() => revoke(undefined)} />
      )}
    </Page>
  );
}

function KeyList({ onRevoke }: { readonly onRevoke: ((key: ApiKey) => void) | undefined }) {
  const keys = useKeys();
  if (keys.isPending) return <Loading />;
  if (keys.isError) return <Failed error={keys.error} retry={() => void keys.refetch()} />;
  const items = keys.data.pages.flatMap(({ api_keys: page }) => page);
  if (items.length === 0) return <Empty icon="key" text={texts.empty} />;
  return (
    <>
      <List label={texts.list} items={items} keyOf={({ api_key_id: id }) => id}>
        {(key) => <KeyItem value={key} onRevoke={onRevoke && (() => onRevoke(key))} />}
      </List>
      {keys.hasNextPage && (
        <div className="actions after">
          <Button kind="quiet" isBusy={keys.isFetchingNextPage} onPress={() => void keys.fetchNextPage()}>
            {commonTexts.more}
          </Button>
        </div>
      )}
    </>
  );
}
