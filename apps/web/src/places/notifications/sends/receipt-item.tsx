import { useState } from 'react';
import type { Schema } from '@vaultsvc/client';
import { errorText } from '../../../api/error-text.js';
import { useClient } from '../../../session/session-context.js';
import { commonTexts } from '../../../texts/common.js';
import { receiptTexts as texts, sendTexts } from '../../../texts/notify-send.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { momentText } from '../../../ui/format.js';
import { Badge, Row } from '../../../ui/list.js';
import { saveText } from '../../../ui/save-text.js';
import { toast } from '../../../ui/toast.js';
import { checkReceipt, receiptFile, type Finding } from '../verify/check-receipt.js';
import { FindingView } from '../verify/finding-view.js';
import { ReadReply } from './read-reply.js';

interface Props {
  readonly sendId: string;
  readonly receipt: Schema<'Receipt'>;
  readonly finding: Finding | undefined;
  readonly onFound: (finding: Finding) => void;
}

/** A receipt, which this browser verifies at a press. */
export function ReceiptItem({ sendId, receipt, finding, onFound }: Props) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const [isShown, setShown] = useState(false);
  const { recipient, action, at, jws } = receipt;
  const name = sendTexts.did[action] ?? action;
  const verify = async () => {
    setBusy(true);
    try {
      onFound(await checkReceipt(client, jws, { send_id: sendId, sub: recipient, action, at }));
      setShown(true);
    } catch (error) {
      toast(errorText(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Row
        title={
          <>
            {name}: <bdi>{recipient}</bdi>
          </>
        }
        state={<FindingBadge finding={finding} />}
        details={momentText(at)}
        actions={<Actions receipt={receipt} name={name} isBusy={isBusy} onVerify={() => void verify()} />}
      />
      {isShown && finding && <FindingDialog finding={finding} onClose={() => setShown(false)} />}
    </>
  );
}

interface ActionsProps {
  readonly receipt: Schema<'Receipt'>;
  readonly name: string;
  readonly isBusy: boolean;
  readonly onVerify: () => void;
}

function Actions({
  receipt: { recipient, jws, reply_spark_id: reply },
  name,
  isBusy,
  onVerify,
}: ActionsProps) {
  const client = useClient();
  return (
    <>
      {reply !== null && <ReadReply sparkId={reply} recipient={recipient} />}
      <Button kind="quiet" isBusy={isBusy} label={texts.verifyOf(name, recipient)} onPress={onVerify}>
        {texts.verify}
      </Button>
      <Button
        kind="quiet"
        label={texts.downloadOf(name, recipient)}
        onPress={() => saveText(receiptFile(client, jws), 'receipt.json')}
      >
        {texts.download}
      </Button>
    </>
  );
}

function FindingDialog({ finding, onClose }: { readonly finding: Finding; readonly onClose: () => void }) {
  return (
    <Dialog title={texts.one} onClose={onClose}>
      <FindingView finding={finding} />
      <div className="actions">
        <Button kind="quiet" onPress={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </Dialog>
  );
}

function FindingBadge({ finding }: { readonly finding: Finding | undefined }) {
  if (!finding || finding.kind === 'unsupported') return <Badge kind="plain">{texts.isUnverified}</Badge>;
  const isGenuine = finding.kind === 'genuine';
  return <Badge kind={isGenuine ? 'good' : 'bad'}>{isGenuine ? texts.isGenuine : texts.isInvalid}</Badge>;
}
