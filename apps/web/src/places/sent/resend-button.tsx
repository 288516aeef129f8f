import { ApiError } from '@vaultsvc/client';
import { useState } from 'react';
import { errorText } from '../../api/error-text.js';
import { useClient } from '../../session/session-context.js';
import { commonTexts } from '../../texts/common.js';
import { sentTexts as texts } from '../../texts/sent.js';
import { Button } from '../../ui/button.js';
import { toast } from '../../ui/toast.js';

interface Props {
  readonly sparkId: string;
  /** The identity that is invited. */
  readonly invitee: string;
}

/** Sends the invitation to the link of a Spark again. Each press that is answered has sent one more message. */
export function ResendButton({ sparkId, invitee }: Props) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const resend = async () => {
    setBusy(true);
    try {
      const params = { path: { spark_id: sparkId } };
      await client.POST('/v1/sparks/{spark_id}/share/resend', { params });
      toast(texts.resent(invitee));
    } catch (error) {
      toast(refusalText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      kind="quiet"
      label={commonTexts.actionOn(texts.resend, invitee)}
      isBusy={isBusy}
      onPress={() => void resend()}
    >
      {texts.resend}
    </Button>
  );
}

/** The list may be older than the end of the link, and shows links of notifications, whose invitations are sent in their place. */
function refusalText(error: unknown): string {
  const hasNone = error instanceof ApiError && error.reason === 'INVITE_NOT_FOUND';
  return hasNone ? texts.noInvitation : errorText(error);
}
