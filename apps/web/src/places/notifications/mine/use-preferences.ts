import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useState } from 'react';
import { useClient, useMember } from '../../../session/session-context.js';
import { mineTexts as texts } from '../../../texts/notify-mine.js';
import { toast } from '../../../ui/toast.js';
import { notifyKeys } from '../shared/notify-keys.js';

export type Preferences = Schema<'RecipientPreferences'>;

const PATH = '/v1/products/notify/preferences/{recipient_id}';

/** The preferences of the own address: those that the unsubscribe link of a mail changes, too. */
export function usePreferences() {
  const client = useClient();
  const { user } = useMember();
  return useQuery({
    queryKey: notifyKeys.preferences,
    queryFn: async ({ signal }) =>
      (await client.GET(PATH, { params: { path: { recipient_id: user.email } }, signal })).data,
  });
}

/** Stores a change, and shows what the API has stored. */
export function useChange() {
  const client = useClient();
  const { user } = useMember();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const change = async (body: Schema<'PreferenceChanges'>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setError(undefined);
    try {
      const { data } = await client.PUT(PATH, { params: { path: { recipient_id: user.email } }, body });
      queries.setQueryData(notifyKeys.preferences, data);
      toast(texts.saved);
      return true;
    } catch (thrown) {
      setError(thrown);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, change };
}
