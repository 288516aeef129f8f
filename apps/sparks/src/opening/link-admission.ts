import { Injectable } from '@nestjs/common';
import { AppError, type VisitContext } from '@vaultsvc/contracts';
import { normalizeIp } from '../link/bound-ip.js';
import { linkStateError } from '../link/link-state-error.js';
import { VisitedLinkRepository, type VisitedLink } from './visited-link.repository.js';

/** What every visitor passes before anything else is asked: the link is there, is not over, and may be opened from here. */
@Injectable()
export class LinkAdmission {
  constructor(private readonly links: VisitedLinkRepository) {}

  /** The active link of this code. Throws LINK_NOT_FOUND, why it is over, or LINK_ADDRESS_REFUSED, in this order. */
  async admit(code: string, { visit, clientIp }: VisitContext): Promise<VisitedLink> {
    const link = await this.links.find(code, visit.domain);
    if (!link) throw new AppError('LINK_NOT_FOUND');
    if (link.state !== 'active') throw linkStateError(link.state);
    if (!isBoundTo(link.boundIp, clientIp)) throw new AppError('LINK_ADDRESS_REFUSED');
    return link;
  }

  /** Why a link could not be opened that was active before; `otherwise` where it still is. */
  async refusal({ code, domain }: VisitedLink, otherwise: AppError): Promise<AppError> {
    const link = await this.links.find(code, domain);
    if (!link) return new AppError('LINK_NOT_FOUND');
    return link.state === 'active' ? otherwise : linkStateError(link.state);
  }
}

/** Addresses are compared in the one form that `normalizeIp` gives: an IPv4 address mapped into IPv6 is itself (SPK-11). */
function isBoundTo(boundIp: string | null, clientIp: string | null): boolean {
  if (boundIp === null) return true;
  return clientIp !== null && normalizeIp(clientIp) === normalizeIp(boundIp);
}
