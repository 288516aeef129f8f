import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText } from '../../api/error-text.js';
import { useClient } from '../../session/session-context.js';
import { commonTexts } from '../../texts/common.js';
import { sentTexts } from '../../texts/sent.js';
import { Button } from '../../ui/button.js';
import { copy } from '../../ui/copy.js';
import { Badge, Row } from '../../ui/list.js';
import { toast } from '../../ui/toast.js';
import { ResendButton } from './resend-button.js';
import type { SentRow } from './sent-row.js';

interface Props {
  readonly row: SentRow;
  readonly onWithdraw: () => void;
  readonly onOpenings: () => void;
}

/** A row. It has no button that opens its link: opening would use it up. */
export function SentItem({ row, onWithdraw, onOpenings }: Props) {
  const { title, state, details } = row;
  return (
    <Row
      title={<bdi>{title}</bdi>}
      state={<Badge kind={state.kind}>{state.text}</Badge>}
      details={<bdi>{details.join(' · ')}</bdi>}
      actions={hasActions(row) && <Actions row={row} onWithdraw={onWithdraw} onOpenings={onOpenings} />}
    />
  );
}

const hasActions = ({ isOpen, openings, vaultId }: SentRow) =>
  isOpen || openings.length > 1 || vaultId !== undefined;

function Actions({ row, onWithdraw, onOpenings }: Props) {
  const { title, isOpen, hasLink, invitee, sparkId, fileLink, vaultId, openings } = row;
  return (
    <>
      {hasLink && sparkId && <CopyLink sparkId={sparkId} />}
      {invitee && sparkId && <ResendButton sparkId={sparkId} invitee={invitee} />}
      {openings.length > 1 && (
        <Button kind="quiet" label={commonTexts.actionOn(sentTexts.openings, title)} onPress={onOpenings}>
          {sentTexts.openings}
        </Button>
      )}
      {((isOpen && sparkId) || fileLink) && (
        <Button kind="quiet" onPress={onWithdraw}>
          {sentTexts.withdraw}
        </Button>
      )}
      {vaultId && (
        <Link className="button quiet" to="/vaults/$vaultId" params={{ vaultId }}>
          {sentTexts.toVault}
        </Link>
      )}
    </>
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
