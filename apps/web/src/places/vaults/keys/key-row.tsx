import type { Schema } from '@vaultsvc/client';
import { vaultKeysTexts as texts } from '../../../texts/vault-keys.js';
import { Button } from '../../../ui/button.js';
import { momentText } from '../../../ui/format.js';
import { Badge, Row } from '../../../ui/list.js';

export type Dvak = Schema<'Dvak'>;

/** Whose key it is. */
export function nameOfKey(dvak: Dvak): string {
  if (dvak.dvak_type === 'system') return texts.system;
  return dvak.dvak_type === 'user'
    ? texts.person(dvak.authorized_user_email)
    : texts.machine(dvak.nhi_description);
}

/** A key, with its last use beside its end. */
export function KeyRow({ dvak, onRevoke }: { readonly dvak: Dvak; readonly onRevoke: () => void }) {
  const { status, last_4_chars: last4, created_at: created, last_used_at: used, use_count: uses } = dvak;
  const isActive = status === 'active';
  const name = nameOfKey(dvak);
  const facts = [
    texts[dvak.access_level ?? 'read_write'],
    texts.ends(last4),
    texts.created(momentText(created)),
    used === null ? texts.unused : texts.used(uses, momentText(used)),
  ];
  return (
    <Row
      title={<bdi>{name}</bdi>}
      state={!isActive && <Badge kind="plain">{texts.revoked}</Badge>}
      details={facts.join(' · ')}
      actions={
        isActive &&
        dvak.dvak_type !== 'system' && (
          <Button kind="quiet" label={texts.revokeOf(name)} onPress={onRevoke}>
            {texts.revoke}
          </Button>
        )
      }
    />
  );
}
