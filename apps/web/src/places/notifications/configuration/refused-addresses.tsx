import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useClient } from '../../../session/session-context.js';
import { commonTexts } from '../../../texts/common.js';
import { notifyConfigTexts as texts } from '../../../texts/notify-config.js';
import { Button } from '../../../ui/button.js';
import { dateText } from '../../../ui/format.js';
import { List, Row } from '../../../ui/list.js';
import { focusHeading } from '../../../ui/page.js';
import { Failed, Loading, Problem } from '../../../ui/states.js';
import { toast } from '../../../ui/toast.js';
import { notifyKeys } from '../shared/notify-keys.js';

type Suppression = Schema<'Suppression'>;

function useSuppressions() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: notifyKeys.refused,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const params = { query: { limit: 50, cursor } };
      return (await client.GET('/v1/products/notify/suppressions', { params, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
}

/** Addresses that are mailed no more, because their servers have refused them. */
export function RefusedAddresses() {
  return (
    <section className="card stack">
      <h2>{texts.refusedAddresses}</h2>
      <p className="hint">{texts.refusedHint}</p>
      <Content />
    </section>
  );
}

function Content() {
  const refused = useSuppressions();
  if (refused.isPending) return <Loading />;
  if (refused.isError) return <Failed error={refused.error} retry={() => void refused.refetch()} />;
  const all = refused.data.pages.flatMap(({ suppressions }) => suppressions);
  if (all.length === 0) return <p>{texts.noRefused}</p>;
  return (
    <>
      <List label={texts.refusedAddresses} items={all} keyOf={({ suppression_id: id }) => id}>
        {(one) => <RefusedItem suppression={one} />}
      </List>
      {refused.hasNextPage && (
        <div className="actions">
          <Button
            kind="quiet"
            isBusy={refused.isFetchingNextPage}
            onPress={() => void refused.fetchNextPage()}
          >
            {commonTexts.more}
          </Button>
        </div>
      )}
    </>
  );
}

function RefusedItem({ suppression }: { readonly suppression: Suppression }) {
  const { suppression_id: id, address, reason, created_at: created } = suppression;
  const client = useClient();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const lift = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const params = { path: { suppression_id: id } };
      await client.DELETE('/v1/products/notify/suppressions/{suppression_id}', { params });
      await queries.invalidateQueries({ queryKey: notifyKeys.refused });
      toast(texts.lifted);
      // The row with the button is gone.
      focusHeading();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Row
      title={<bdi>{address}</bdi>}
      state={error !== undefined && <Problem>{errorText(error)}</Problem>}
      details={texts.refusedOn(dateText(created), reason)}
      actions={
        <Button kind="quiet" isBusy={isBusy} label={texts.liftOf(address)} onPress={() => void lift()}>
          {texts.lift}
        </Button>
      }
    />
  );
}
