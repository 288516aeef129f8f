import type { Credential, LinkDomain, VisitContext } from '@vaultsvc/contracts';
import {
  confirmVerification,
  openLink,
  startVerification,
  type LinkContent,
  type LinkOpening,
  type VerificationStarted,
  type Verified,
} from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { deadlineIn, type Harness } from '@vaultsvc/testing/harness';

/** A visitor's origin, address and credential; by default the link origin, a public address and no credential. */
export interface VisitOptions {
  readonly domain?: LinkDomain;
  readonly clientIp?: string | null;
  readonly credential?: Credential;
  readonly userAgent?: string | null;
  readonly withinSeconds?: number;
}

/** For specs: a visitor's operations on links, called as the gateway calls them. */
export interface Visits {
  /** Sends the confirmation unless `body` overrides it. */
  open(code: string, body?: Partial<LinkOpening>, visit?: VisitOptions): Promise<LinkContent>;
  start(code: string, identity: string, visit?: VisitOptions): Promise<VerificationStarted>;
  confirm(code: string, identity: string, digits: string, visit?: VisitOptions): Promise<Verified>;
}

export function visitsTo({ bus }: Pick<Harness, 'bus'>): Visits {
  return {
    open: (code, body, visit) =>
      bus.call(
        openLink,
        { params: { link_code: code }, body: { describe: false, confirmed: true, ...body } },
        visitContext(visit),
      ),
    start: (code, identity, visit) =>
      bus.call(startVerification, { params: { link_code: code }, body: { identity } }, visitContext(visit)),
    confirm: (code, identity, digits, visit) =>
      bus.call(
        confirmVerification,
        { params: { link_code: code }, body: { identity, code: digits } },
        visitContext(visit),
      ),
  };
}

export function visitContext(options: VisitOptions = {}): VisitContext {
  const { domain = 'link', clientIp = '198.51.100.7', credential = { kind: 'none' } } = options;
  const { userAgent = 'Visitor/1.0', withinSeconds = 10 } = options;
  const deadlineMs = deadlineIn(withinSeconds);
  return { requestId: newId('req_'), credential, clientIp, deadlineMs, visit: { domain, userAgent } };
}
