import { Injectable } from '@nestjs/common';
import { validationError, type VisitContext } from '@vaultsvc/contracts';
import { InviteRepository } from '../../link/invite.repository.js';
import { LinkAdmission } from '../admission/link-admission.js';
import type { VisitedLink } from '../admission/visited-link.repository.js';
import { PasskeySubjects } from './passkey-subjects.js';
import type { PasskeySubject } from './passkey.repository.js';

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
    private readonly subjects: PasskeySubjects,
  ) {}

  /** Throws as `LinkAdmission.admit`, and VALIDATION_ERROR for a link that asks for no passkey. */
  async admit(code: string, context: VisitContext): Promise<PasskeyLink> {
    const link = await this.admission.admit(code, context);
    if (link.policy?.level !== 'passkey') throw noPasskeyNeeded();
    const [invite] = await this.invites.findByLink(link.id);
    if (!invite) throw new Error('a grant of level passkey has no invite');
    const { identity } = invite;
    const [subject] = await this.subjects.of(link.accountId, [identity]);
    return { link, identity, subject: subject as PasskeySubject };
  }
}

function noPasskeyNeeded() {
  return validationError({ field: 'link_code', message: 'this link asks for no passkey' });
}
