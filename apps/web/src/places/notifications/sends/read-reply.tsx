import { ApiError } from '@vaultsvc/client';
import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useClient } from '../../../session/session-context.js';
import { commonTexts } from '../../../texts/common.js';
import { sendTexts as texts } from '../../../texts/notify-send.js';
import { Button } from '../../../ui/button.js';
import { copy } from '../../../ui/copy.js';
import { Dialog } from '../../../ui/dialog.js';
import { SecretValue } from '../../../ui/secret-value.js';
import { Problem } from '../../../ui/states.js';

interface Props {
  readonly sparkId: string;
  readonly recipient: string;
}

/** Opens the dialog in which a reply is read. */
export function ReadReply({ sparkId, recipient }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        kind="quiet"
        label={commonTexts.actionOn(texts.readReply, recipient)}
        onPress={() => setOpen(true)}
      >
        {texts.readReply}
      </Button>
      {isOpen && <ReplyDialog sparkId={sparkId} onClose={() => setOpen(false)} />}
    </>
  );
}

/** A reply is a Spark, which reading destroys: it is read by a press, and kept in the state of the dialog alone. */
function ReplyDialog({ sparkId, onClose }: { readonly sparkId: string; readonly onClose: () => void }) {
  const client = useClient();
  const [reply, setReply] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const read = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { data } = await client.GET('/v1/sparks/{spark_id}', { params: { path: { spark_id: sparkId } } });
      setReply(data.payload);
    } catch (error) {
      setProblem(isGone(error) ? texts.replyGone : errorText(error));
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={reply === undefined ? texts.replyTitle : texts.reply}
      onClose={reply === undefined ? onClose : undefined}
    >
      {reply === undefined ? <p>{texts.replyText}</p> : <SecretValue label={texts.reply} value={reply} />}
      {problem !== undefined && <Problem>{problem}</Problem>}
      <div className="actions">
        {reply === undefined ? (
          <Button isBusy={isBusy} onPress={() => void read()}>
            {texts.readReply}
          </Button>
        ) : (
          <Button icon="copy" onPress={() => void copy(reply)}>
            {commonTexts.copy}
          </Button>
        )}
        <Button kind="quiet" onPress={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </Dialog>
  );
}

const isGone = (error: unknown) => error instanceof ApiError && [404, 409, 410].includes(error.status);
