import type { Schema } from '@vaultsvc/client';
import { commonTexts } from '../../texts/common.js';
import { keysTexts as texts } from '../../texts/keys.js';
import { Button } from '../../ui/button.js';
import { dateText, momentText } from '../../ui/format.js';
import { Badge, Row } from '../../ui/list.js';

export type ApiKey = Schema<'ApiKey'>;

interface Props {
  readonly value: ApiKey;
  /** Absent for who may not. */
  readonly onRevoke: (() => void) | undefined;
}

/** A key with its last use, which is beside the button that revokes it. */
export function KeyItem({ value, onRevoke }: Props) {
  const { name, key_preview: preview, status } = value;
  const isActive = status === 'active';
  return (
    <Row
      title={
        <>
          <bdi>{name}</bdi>{' '}
          <code className="hint" dir="ltr">
            {preview}
          </code>
        </>
      }
      state={<Badge kind={isActive ? 'good' : 'plain'}>{texts.statuses[status]}</Badge>}
      details={detailsOf(value).join(' · ')}
      actions={
        isActive &&
        onRevoke && (
          <Button kind="quiet" label={commonTexts.actionOn(texts.revoke, name)} onPress={onRevoke}>
            {texts.revoke}
          </Button>
        )
      }
    />
  );
}

function detailsOf({ last_used_at: used, created_at: created, ...key }: ApiKey): readonly string[] {
  return [
    used === null ? texts.unused : texts.used(momentText(used)),
    texts.created(dateText(created)),
    ...endOf(key),
  ];
}

function endOf({
  status,
  expires_at: end,
  revoked_at: revoked,
}: Pick<ApiKey, 'status' | 'expires_at' | 'revoked_at'>): readonly string[] {
  if (revoked !== null) return [texts.revoked(dateText(revoked))];
  if (end === null) return [];
  return [(status === 'expired' ? texts.expired : texts.expires)(dateText(end))];
}
