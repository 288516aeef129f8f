import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useClient } from '../../../session/session-context.js';
import { commonTexts } from '../../../texts/common.js';
import { channelTexts } from '../../../texts/notifications.js';
import { sendTexts as texts } from '../../../texts/notify-send.js';
import { Button } from '../../../ui/button.js';
import { copy } from '../../../ui/copy.js';
import { Badge, Row } from '../../../ui/list.js';
import { toast } from '../../../ui/toast.js';
import { notifyKeys } from '../shared/notify-keys.js';
import { canRetry, deliveryText, recipientState } from './recipient-text.js';
import { readLink, type Delivery, type RecipientState } from './send-report.js';

interface Props {
  readonly sendId: string;
  readonly recipient: RecipientState;
  /** That of a colleague. */
  readonly name: string | undefined;
}

/** A recipient: state, the message of each channel, and what may be done about it. */
export function RecipientItem({ sendId, recipient, name }: Props) {
  const { recipient: address, deliveries, hasLink } = recipient;
  const { kind, text } = recipientState(recipient);
  return (
    <Row
      title={
        <>
          <bdi>{name ?? address}</bdi>
          {name !== undefined && (
            <span className="hint">
              {' '}
              <bdi>{address}</bdi>
            </span>
          )}
        </>
      }
      state={<Badge kind={kind}>{text}</Badge>}
      details={deliveries.map((delivery) => (
        <span key={delivery.delivery_id} className="line">
          {deliveryText(delivery)}
        </span>
      ))}
      actions={
        <>
          {hasLink && <CopyLink sendId={sendId} address={address} />}
          {deliveries.filter(canRetry).map((delivery) => (
            <Retry key={delivery.delivery_id} sendId={sendId} address={address} delivery={delivery} />
          ))}
        </>
      }
    />
  );
}

/** A press that calls the API; a refusal is said as a toast, since a row has no place for it. */
function usePress(act: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    await act().catch((error: unknown) => toast(errorText(error)));
    setBusy(false);
  };
  return { isBusy, onPress: () => void press() };
}

interface ActionProps {
  readonly sendId: string;
  readonly address: string;
}

function CopyLink({ sendId, address }: ActionProps) {
  const client = useClient();
  const pressed = usePress(async () => {
    const link = await readLink(client, sendId, address);
    if (link === null) toast(texts.noLink);
    else await copy(link);
  });
  return (
    <Button kind="quiet" icon="copy" label={commonTexts.actionOn(texts.copyLink, address)} {...pressed}>
      {texts.copyLink}
    </Button>
  );
}

function Retry({ sendId, address, delivery }: ActionProps & { readonly delivery: Delivery }) {
  const client = useClient();
  const queries = useQueryClient();
  const channel = channelTexts[delivery.channel];
  const pressed = usePress(async () => {
    const path = { send_id: sendId, delivery_id: delivery.delivery_id };
    await client.POST('/v1/products/notify/sends/{send_id}/deliveries/{delivery_id}/replay', {
      params: { path },
    });
    toast(texts.queued);
    await queries.invalidateQueries({ queryKey: notifyKeys.send(sendId) });
  });
  return (
    <Button kind="quiet" label={texts.tryAgainFor(channel, address)} {...pressed}>
      {texts.tryAgain(channel)}
    </Button>
  );
}
