import { useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, ConnectionError, type Schema } from '@vaultsvc/client';
import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useClient } from '../../../session/session-context.js';
import { composeTexts as texts } from '../../../texts/notify-compose.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { Page } from '../../../ui/page.js';
import { PlaceLink } from '../../../ui/place-link.js';
import { Failed, Loading, Problem } from '../../../ui/states.js';
import { toast } from '../../../ui/toast.js';
import { notifyKeys } from '../shared/notify-keys.js';
import { useConfig } from '../shared/use-config.js';
import { BehindLink } from './behind-link.js';
import { forgetDraft, showPreview, type Draft } from './draft.js';
import { MessagePreview } from './message-preview.js';
import { plannedSteps, sendBody } from './send-body.js';

/** Sends the draft. Its id stays the same until an edit, so that a second press sends nothing twice. */
function useSending(draft: Draft) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const finish = async ({ send_id: sendId, idempotent }: Schema<'AcceptedSend'>) => {
    toast(idempotent ? texts.sentBefore : texts.sent);
    void queries.invalidateQueries({ queryKey: notifyKeys.sends });
    await navigate({ to: '/notifications/sends/$sendId', params: { sendId }, replace: true });
    forgetDraft();
  };
  const send = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { data } = await client.POST('/v1/products/notify/send', { body: sendBody(draft) });
      await finish(data);
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return { isBusy, error, send };
}

/** The message of each channel, as a recipient will get it. Nothing is sent before the button is pressed. */
export function Preview({ draft }: { readonly draft: Draft }) {
  const { isBusy, error, send } = useSending(draft);
  const [isDiscarding, setDiscarding] = useState(false);
  const count = draft.recipients.length;
  return (
    <Page title={texts.previewTitle} hint={texts.previewHint(count)}>
      <div className="stack">
        <Messages draft={draft} />
        <BehindLink draft={draft} />
        {error !== undefined && <Problem>{explain(error)}</Problem>}
        <div className="actions">
          <Button icon="send" isBusy={isBusy} onPress={() => void send()}>
            {texts.send(count)}
          </Button>
          <Button kind="quiet" isDisabled={isBusy} onPress={() => showPreview(false)}>
            {texts.change}
          </Button>
          <Button kind="quiet" isDisabled={isBusy} onPress={() => setDiscarding(true)}>
            {texts.discard}
          </Button>
        </div>
      </div>
      {isDiscarding && (
        <ConfirmDialog
          title={texts.discardTitle}
          text={texts.discardText}
          confirm={texts.discard}
          act={() => Promise.resolve(forgetDraft())}
          onClose={() => setDiscarding(false)}
        />
      )}
    </Page>
  );
}

function Messages({ draft }: { readonly draft: Draft }) {
  const config = useConfig();
  if (config.isPending) return <Loading />;
  if (config.isError) return <Failed error={config.error} retry={() => void config.refetch()} />;
  return (
    <ol className="stack">
      {plannedSteps(draft, config.data).map((step, index) => (
        <li key={step.channel}>
          <MessagePreview draft={draft} step={step} number={index + 1} />
        </li>
      ))}
    </ol>
  );
}

/** Without an answer the person must know that pressing again is safe; what a plan refuses leads to billing. */
function explain(error: unknown) {
  if (error instanceof ConnectionError) return texts.noAnswer;
  if (!(error instanceof ApiError) || error.status !== 402) return errorText(error);
  return (
    <>
      {errorText(error)} <PlaceLink to="/billing">{texts.toBilling}</PlaceLink>
    </>
  );
}
