import { Injectable } from '@nestjs/common';
import { AppError, type VisitContext } from '@vaultsvc/contracts';
import { normalizeIp } from '../../link/bound-ip.js';
import { linkStateError } from '../../link/link-state-error.js';
import { VisitedLinkRepository, type VisitedLink } from './visited-link.repository.js';

/** The first check of every visit: the link exists, is active, and may be opened from this address. */
@Injectable()
export class LinkAdmission {
  constructor(private readonly links: VisitedLinkRepository) {}

  /** Returns the active link. Throws LINK_NOT_FOUND, the error of its state, or LINK_ADDRESS_REFUSED, in this order. */
  async admit(code: string, { visit, clientIp }: VisitContext): Promise<VisitedLink> {
    const link = await this.links.find(code, visit.domain);
    if (!link) throw new AppError('LINK_NOT_FOUND');
    if (link.state !== 'active') throw linkStateError(link.state);
    if (!isBoundTo(link.boundIp, clientIp)) throw new AppError('LINK_ADDRESS_REFUSED');
    return link;
  }

  /** The error of a link that was active on admission and could not be opened; `otherwise` if it still is active. */
  async currentError({ code, domain }: VisitedLink, otherwise: AppError): Promise<AppError> {
    const link = await this.links.find(code, domain);
    if (!link) return new AppError('LINK_NOT_FOUND');
    return link.state === 'active' ? otherwise : linkStateError(link.state);
  }
}

/** Compares canonical addresses, so that an IPv4-mapped IPv6 address equals the IPv4 address (SPK-11). */
function isBoundTo(boundIp: string | null, clientIp: string | null): boolean {
  if (boundIp === null) return true;
  return clientIp !== null && normalizeIp(clientIp) === normalizeIp(boundIp);
}
