import { useState } from 'react';
import { errorText } from '../../api/error-text.js';
import { useClient } from '../../session/session-context.js';
import { sentTexts } from '../../texts/sent.js';
import { Button } from '../../ui/button.js';
import { copy } from '../../ui/copy.js';
import { Badge, Row } from '../../ui/list.js';
import { toast } from '../../ui/toast.js';
import type { SentRow } from './sent-row.js';

interface Props {
  readonly row: SentRow;
  readonly onWithdraw: () => void;
}

/** A row. It has no button that opens its link: opening would use it up. */
export function SentItem({ row, onWithdraw }: Props) {
  const { title, state, details, isOpen, hasLink } = row;
  return (
    <Row
      title={<bdi>{title}</bdi>}
      state={<Badge kind={state.kind}>{state.text}</Badge>}
      details={details.join(' · ')}
      actions={
        isOpen && (
          <>
            {hasLink && <CopyLink sparkId={row.sparkId} />}
            <Button kind="quiet" onPress={onWithdraw}>
              {sentTexts.withdraw}
            </Button>
          </>
        )
      }
    />
  );
}

/** Reads the link when it is asked for: the list keeps no codes. */
function CopyLink({ sparkId }: { readonly sparkId: string }) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const read = async () => {
    setBusy(true);
    try {
      const { data } = await client.GET('/v1/sparks/{spark_id}/share', {
        params: { path: { spark_id: sparkId } },
      });
      if (data.link_url) await copy(data.link_url);
    } catch (error) {
      toast(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button kind="quiet" icon="copy" isBusy={isBusy} onPress={() => void read()}>
      {sentTexts.copyLink}
    </Button>
  );
}
