import { Injectable } from '@nestjs/common';
import { identityKey, validationError, type VisitContext } from '@vaultsvc/contracts';
import { DataKeys, permanent } from '@vaultsvc/crypto/data-keys';
import { mac } from '@vaultsvc/crypto/mac';
import { InviteRepository } from '../link/invite.repository.js';
import { LinkAdmission } from '../opening/link-admission.js';
import type { VisitedLink } from '../opening/visited-link.repository.js';
import type { PasskeySubject } from './passkey.repository.js';

const PASSKEYS_PURPOSE = 'passkeys';

/** A link that a passkey opens, and the one identity that must have it. */
export interface PasskeyLink {
  readonly link: VisitedLink;
  readonly identity: string;
  readonly subject: PasskeySubject;
}

/** Finds the link of a passkey operation, and whose passkey opens it. */
@Injectable()
export class PasskeyAdmission {
  constructor(
    private readonly admission: LinkAdmission,
    private readonly invites: InviteRepository,
    private readonly keys: DataKeys,
  ) {}

  /** Throws as `LinkAdmission.admit`, and VALIDATION_ERROR for a link that asks for no passkey. */
  async admit(code: string, context: VisitContext): Promise<PasskeyLink> {
    const link = await this.admission.admit(code, context);
    if (link.policy?.level !== 'passkey') throw noPasskeyNeeded();
    const [invite] = await this.invites.findByLink(link.id);
    if (!invite) throw new Error('a grant of level passkey has no invite');
    const { identity } = invite;
    return { link, identity, subject: await this.#subjectOf(link.accountId, identity) };
  }

  /** The same for all links of the account, by a key without rotation: the passkey is found again from each of them. */
  async #subjectOf(accountId: string, identity: string): Promise<PasskeySubject> {
    const value = await this.keys.current(PASSKEYS_PURPOSE, permanent, (key) =>
      mac(key, 'vk/v1/passkey-subject', accountId, identityKey(identity)),
    );
    return { accountId, mac: value };
  }
}

function noPasskeyNeeded() {
  return validationError({ field: 'link_code', message: 'this link asks for no passkey' });
}
