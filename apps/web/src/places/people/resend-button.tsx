import { useState } from 'react';
import { errorText } from '../../api/error-text.js';
import { useClient } from '../../session/session-context.js';
import { commonTexts } from '../../texts/common.js';
import { peopleTexts as texts } from '../../texts/people.js';
import { Button } from '../../ui/button.js';
import { dateText } from '../../ui/format.js';
import { toast } from '../../ui/toast.js';
import type { Person } from './person-rights.js';

/** Sends an invitation again, which then holds for another 14 days. */
export function ResendButton({ person }: { readonly person: Person }) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    try {
      const params = { path: { user_id: person.user_id } };
      const { data } = await client.POST('/v1/users/{user_id}/invitation/resend', { params });
      toast(texts.resent(person.email, dateText(data.expires_at)));
    } catch (error) {
      toast(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      kind="quiet"
      label={commonTexts.actionOn(texts.resend, person.email)}
      isBusy={isBusy}
      onPress={() => void resend()}
    >
      {texts.resend}
    </Button>
  );
}
