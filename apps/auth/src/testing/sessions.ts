import { serviceContext, type CallContext, type TokenDelivery } from '@vaultsvc/contracts';
import {
  endSession,
  refreshSession,
  resolveCredential,
  type RefreshedSession,
} from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { RateLimiter } from '@vaultsvc/limits';
import type { RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { deadlineIn, rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { auth } from '../service-definition.js';

/** For specs: auth on real servers, called as the gateway calls it, and what it keeps of sessions. */
export interface SessionPlatform {
  readonly harness: Harness;
  readonly service: RunningService;
  refresh(token: string | undefined, delivery?: TokenDelivery): Promise<RefreshedSession>;
  logout(token: string | undefined, delivery?: TokenDelivery): Promise<void>;
  /** Whether the gateway lets an access token of this session in, whatever Redis holds now. */
  admits(sessionId: string): Promise<boolean>;
  /** Runs SQL in auth's schema and gives the rows. */
  sql<Row extends Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Lets every exchange of this session so far be that much older (OPEN-63). */
  ageExchanges(sessionId: string, interval: string): Promise<void>;
  /** Brings the expiry of this session forward. */
  ageExpiry(sessionId: string, interval: string): Promise<void>;
}

export async function startSessionPlatform(settings: Record<string, string> = {}): Promise<SessionPlatform> {
  const harness = await startHarness({ LOG_LEVEL: 'silent' });
  const service = await harness.start(auth, settings);
  const sql: SessionPlatform['sql'] = (text, values) => rowsOf(service, text, values);
  const body = (token: string | undefined) => (token === undefined ? {} : { refresh_token: token });
  return {
    harness,
    service,
    refresh: (token, delivery) =>
      harness.bus.call(refreshSession, { body: body(token) }, sessionContext(delivery)),
    logout: (token, delivery) =>
      harness.bus.call(endSession, { body: body(token) }, sessionContext(delivery)),
    admits: (sessionId) => admits(harness, service, sessionId),
    sql,
    ageExchanges: async (sessionId, interval) =>
      void (await sql(`UPDATE superseded SET at = at - $2::interval WHERE family_id = $1`, [
        sessionId,
        interval,
      ])),
    ageExpiry: async (sessionId, interval) => void (await sql(AGE_EXPIRY, [sessionId, interval])),
  };
}

/** The platform for the tests of a spec file: see `useFixture`. */
export function useSessionPlatform(settings?: Record<string, string>): SessionPlatform {
  return useFixture(
    () => startSessionPlatform(settings),
    (platform) => platform.harness.stop(),
  );
}

const AGE_EXPIRY = `
  UPDATE families SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval WHERE id = $1`;

/** The caller of a session operation, as the gateway tells auth of them. */
export function sessionContext(
  delivery: TokenDelivery = 'body',
  credential: CallContext['credential'] = { kind: 'none' },
): CallContext {
  return {
    requestId: newId('req_'),
    credential,
    clientIp: '192.0.2.7',
    deadlineMs: deadlineIn(10),
    client: { delivery, userAgent: 'Tests/1.0' },
  };
}

/** As the gateway does it: one round trip, on a miss auth is asked once. */
async function admits(harness: Harness, service: RunningService, sessionId: string): Promise<boolean> {
  const limits = { perAccount: 1_000_000, perAddress: 1_000_000 };
  const request = { key: `s:${sessionId}`, billable: false, clientIp: '192.0.2.1', limits };
  const limiter = service.context.get(RateLimiter);
  const first = await limiter.admit(request);
  if (first.outcome !== 'unknown') return isLetIn(first.outcome);
  await harness.bus.call(
    resolveCredential,
    { body: { kind: 'session', key: sessionId } },
    serviceContext('test'),
  );
  return isLetIn((await limiter.admit({ ...request, resolved: true })).outcome);
}

function isLetIn(outcome: string): boolean {
  return outcome === 'account' || outcome === 'identity';
}

/** Where the fields of a refresh token begin: format, family, generation, MAC. */
export const refreshTokenFields = { format: 0, family: 1, generation: 17, mac: 21, end: 53 } as const;

/** A token whose bytes have been changed by whoever has no key. */
export function forgeRefreshToken(token: string, change: (bytes: Buffer) => void): string {
  const bytes = Buffer.from(token.slice('vkr_'.length), 'base64url');
  change(bytes);
  return `vkr_${bytes.toString('base64url')}`;
}
