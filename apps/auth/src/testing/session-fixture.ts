import { type CallContext, type TokenDelivery } from '@vaultsvc/contracts';
import {
  endSession,
  refreshSession,
  resolveCredential,
  type RefreshedSession,
} from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { deadlineIn, type Harness, internalContext, rowsOf, startHarness } from '@vaultsvc/testing/harness';
import { auth } from '../service-definition.js';
import { admitAsGateway } from './redis-peers.js';

/** Auth on real servers, called as the gateway calls it, with access to its session tables. */
export interface SessionFixture {
  readonly harness: Harness;
  readonly service: RunningService;
  refresh(token: string | undefined, delivery?: TokenDelivery): Promise<RefreshedSession>;
  logout(token: string | undefined, delivery?: TokenDelivery): Promise<void>;
  /** Whether the gateway admits an access token of this session, with or without a cached record. */
  admits(sessionId: string): Promise<boolean>;
  /** Runs SQL in auth's schema and returns the rows. */
  sql<Row extends Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Moves all exchanges of this session so far into the past by this interval (OPEN-63). */
  ageExchanges(sessionId: string, interval: string): Promise<void>;
  /** Brings the expiry of this session forward. */
  ageExpiry(sessionId: string, interval: string): Promise<void>;
}

export async function startSessionFixture(settings: Record<string, string> = {}): Promise<SessionFixture> {
  const harness = await startHarness({ LOG_LEVEL: 'silent' });
  const service = await harness.start(auth, settings);
  const sql: SessionFixture['sql'] = (text, values) => rowsOf(service, text, values);
  const body = (token: string | undefined) => (token === undefined ? {} : { refresh_token: token });
  return {
    harness,
    service,
    refresh: (token, delivery) =>
      harness.bus.call(refreshSession, { body: body(token) }, sessionContext(delivery)),
    logout: (token, delivery) =>
      harness.bus.call(endSession, { body: body(token) }, sessionContext(delivery)),
    admits: (sessionId) => admits(harness, sessionId, settings),
    sql,
    ageExchanges: async (sessionId, interval) =>
      void (await sql(`UPDATE superseded SET at = at - $2::interval WHERE family_id = $1`, [
        sessionId,
        interval,
      ])),
    ageExpiry: async (sessionId, interval) => void (await sql(AGE_EXPIRY, [sessionId, interval])),
  };
}

/** The fixture for the tests of a spec file; see `useFixture`. */
export function useSessionFixture(settings?: Record<string, string>): SessionFixture {
  return useFixture(
    () => startSessionFixture(settings),
    (fixture) => fixture.harness.stop(),
  );
}

const AGE_EXPIRY = `
  UPDATE families SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval WHERE id = $1`;

/** The context of a session operation, as the gateway passes it to auth. */
export function sessionContext(
  delivery: TokenDelivery = 'body',
  credential: CallContext['credential'] = { kind: 'none' },
): CallContext {
  return {
    requestId: newId('req_'),
    credential,
    clientIp: '192.0.2.7',
    deadlineMs: deadlineIn(60),
    client: { delivery, userAgent: 'Tests/1.0' },
  };
}

/** Admits as the gateway does: one round trip to Redis, and one call to auth on a cache miss. */
async function admits(
  harness: Harness,
  sessionId: string,
  settings: Record<string, string>,
): Promise<boolean> {
  const key = `s:${sessionId}`;
  const first = await admitAsGateway(harness, key, { settings });
  if (first.outcome !== 'not_cached') return isAdmitted(first.outcome);
  await harness.bus.call(resolveCredential, { body: { kind: 'session', key: sessionId } }, internalContext());
  return isAdmitted((await admitAsGateway(harness, key, { isResolved: true, settings })).outcome);
}

function isAdmitted(outcome: string): boolean {
  return outcome === 'account' || outcome === 'identity';
}

/** Byte offsets of the fields of a refresh token, and its length. */
export const refreshTokenFields = { format: 0, family: 1, generation: 17, mac: 21, end: 53 } as const;

/** A token with changed bytes, as an attacker without the key can make it. */
export function forgeRefreshToken(token: string, change: (bytes: Buffer) => void): string {
  const bytes = Buffer.from(token.slice('vkr_'.length), 'base64url');
  change(bytes);
  return `vkr_${bytes.toString('base64url')}`;
}
