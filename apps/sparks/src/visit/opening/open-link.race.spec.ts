import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SparkSharing } from '@vaultsvc/contracts/sparks';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, readReason } from '@vaultsvc/testing/harness';
import { raceUntilSeen } from '@vaultsvc/testing/races';
import { startKms, type TestServer } from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { sparks } from '../../service-definition.js';
import { linksOf } from '../../testing/links.js';
import { emptyKeyCaches } from '../../testing/key-caches.js';
import { startPlatform, type Platform } from '../../testing/platform.js';
import { visitsTo, type Visits } from '../../testing/visits.js';

const caller = accountContext();
const PAYLOAD = 'once';

let platform: Platform;
let kms: TestServer;
let instances: readonly RunningService[];
let links: ReturnType<typeof linksOf>;
let visits: Visits;

beforeAll(async () => {
  kms = await startKms();
  const settings = { KMS_ENDPOINT: kms.url, LOG_LEVEL: 'silent' };
  platform = await startPlatform(settings);
  instances = [platform.service, await platform.harness.start(sparks, settings)]; // In the same queue group.
  links = linksOf(platform);
  visits = visitsTo(platform.harness);
});
afterAll(async () => {
  await platform.harness.stop();
  await kms.stop();
});

async function shared(terms: Partial<SparkSharing> = {}) {
  const { spark_id } = await platform.create({ payload: PAYLOAD }, caller);
  const { link_code } = await links.share(spark_id, terms, caller);
  return { spark_id, link_code };
}

/** `revealed`, `done`, or the error code. */
const outcomeOf = (answer: Promise<{ payload?: string } | object | void>) =>
  answer.then((content) => (content && 'payload' in content ? 'revealed' : 'done'), readReason);
const open = (code: string, visit = {}) => outcomeOf(visits.open(code, {}, visit));
const count = (outcomes: readonly string[], wanted: string) =>
  outcomes.filter((outcome) => outcome === wanted).length;

/** The states of Spark and link, and the numbers of their events. */
async function stateOf(sparkId: string) {
  const [row] = await platform.sql<{
    spark: string | null;
    link: string | null;
    reads: number;
    accesses: number;
  }>(
    `SELECT (SELECT status FROM sparks WHERE id = $1) AS spark, (SELECT status FROM sparklinks WHERE asset_id = $1) AS link,
            (SELECT count(*) FROM recorded_events WHERE name = 'sparks.read' AND payload->>'spark_id' = $1) AS reads,
            (SELECT count(*) FROM recorded_events WHERE name = 'sparks.sparklink-accessed' AND payload->>'asset_id' = $1) AS accesses`,
    [sparkId],
  );
  return row;
}
const OPENED = { spark: 'ash', link: 'consumed', reads: 1, accesses: 1 };
const UNTOUCHED = { spark: 'active', link: 'active', reads: 0, accesses: 0 };

describe('concurrent openings of one link on two instances', () => {
  it('LNK-14 MISC-08 TRAP 12: return the content once for twenty visitors; the others get 409 or 403', async () => {
    const losers = new Set<string>();
    for (let round = 0; round < 20 || losers.size < 2; round++) {
      const { spark_id, link_code } = await shared();
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => open(link_code)));
      expect(count(outcomes, 'revealed')).toBe(1);
      expect(await stateOf(spark_id)).toEqual(OPENED);
      for (const outcome of outcomes) if (outcome !== 'revealed') losers.add(outcome);
    }
    expect([...losers].sort()).toEqual(['LINK_BEING_OPENED', 'LINK_CONSUMED']);
  });

  it('LNK-15: race with a revocation: the link is either opened or revoked, and a revoked one discloses nothing', () =>
    raceUntilSeen(['LINK_REVOKED', 'revealed'], 40, async (together) => {
      const { spark_id, link_code } = await shared();
      const [opened] = await together(
        () => open(link_code),
        () => outcomeOf(links.remove(link_code, caller)),
      );
      const isOpened = opened === 'revealed';
      expect(await stateOf(spark_id)).toEqual(isOpened ? OPENED : { ...UNTOUCHED, link: 'revoked' });
      return opened;
    }));

  it('LNK-16 SPK-31: race with a read over the API: the content is disclosed once', () =>
    raceUntilSeen(['opened', 'read'], 40, async (together) => {
      const { spark_id, link_code } = await shared();
      const outcomes = await together(
        () => open(link_code),
        () => outcomeOf(platform.read(spark_id, caller)),
      );
      expect(count(outcomes, 'revealed')).toBe(1);
      const isOpened = outcomes[0] === 'revealed';
      expect(await stateOf(spark_id)).toEqual(isOpened ? OPENED : { ...OPENED, link: 'active', accesses: 0 });
      return isOpened ? 'opened' : 'read';
    }));

  it('SPK-36: race with the deletion of the Spark: the link is either opened or deleted', () =>
    raceUntilSeen(['LINK_NOT_FOUND', 'revealed'], 40, async (together) => {
      const { spark_id, link_code } = await shared();
      const [opened] = await together(
        () => open(link_code),
        () => outcomeOf(platform.remove(spark_id, caller)),
      );
      const removed = { spark: null, link: null, reads: 0, accesses: 0 };
      expect(await stateOf(spark_id)).toEqual(opened === 'revealed' ? OPENED : removed);
      return opened;
    }));

  it('LNK-19: race with its expiry: the link is opened before it or never', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 30 || seen.size < 2; round++) {
      const { spark_id, link_code } = await shared();
      await platform.sql(
        `UPDATE sparklinks SET expires_at = clock_timestamp() + make_interval(secs => $2::float / 1000) WHERE asset_id = $1`,
        [spark_id, round * 8],
      );
      const outcomes = await Promise.all(Array.from({ length: 3 }, () => open(link_code)));
      const revealed = count(outcomes, 'revealed');
      expect(await stateOf(spark_id)).toEqual(revealed ? OPENED : UNTOUCHED);
      expect(revealed).toBeLessThanOrEqual(1);
      if (!revealed) expect(await open(link_code)).toBe('LINK_EXPIRED');
      seen.add(revealed ? 'opened' : 'expired');
    }
    expect([...seen].sort()).toEqual(['expired', 'opened']);
  });
});

describe('an opening that fails', () => {
  const fault = (mode: string, ms?: number) =>
    fetch(`${kms.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode, ms }) });
  /** Empties the key caches of both instances: the next opening calls KMS. */
  afterEach(() => fault('none'));

  it('LNK-14: leaves the link active while key management is down, so that it opens afterwards', async () => {
    const { spark_id, link_code } = await shared();
    instances.forEach(emptyKeyCaches);
    await fault('down');
    expect(await open(link_code)).toBe('INTERNAL_ERROR');
    expect(await stateOf(spark_id)).toEqual(UNTOUCHED);
    await fault('none');
    await eventually(
      () => open(link_code),
      (outcome) => outcome === 'revealed',
    );
    expect(await stateOf(spark_id)).toEqual(OPENED);
  });

  it('SPK-32: burns nothing after the deadline of the visitor and releases the read lock', async () => {
    const { spark_id, link_code } = await shared();
    instances.forEach(emptyKeyCaches);
    const becomes = (status: string) =>
      eventually(
        () => stateOf(spark_id),
        (state) => state?.spark === status,
      );
    await fault('slow', 60_000); // Until the next fault.
    const opened = open(link_code, { withinSeconds: 3 });
    await becomes('reading');
    expect(await opened).toBe('INTERNAL_ERROR');
    await fault('none');
    await becomes('active');
    expect(await stateOf(spark_id)).toEqual(UNTOUCHED);
    expect(await open(link_code)).toBe('revealed');
  });

  it('LNK-18: leaves the link active while auth is down and the session cannot be verified', async () => {
    const { spark_id, link_code } = await shared({ visibility: 'authenticated' });
    const session = {
      credential: accountContext({ kind: 'session', userId: `usr_${'0'.repeat(22)}` }).credential,
    };
    expect(await open(link_code, session)).toBe('INTERNAL_ERROR');
    expect(await stateOf(spark_id)).toEqual(UNTOUCHED);
  });

  it('OPEN-23: asks for a confirmation while auth is down, whatever the policy, and opens after it', async () => {
    const { spark_id, link_code } = await shared();
    expect(await visits.open(link_code, { confirmed: false })).toEqual({ type: 'confirm' });
    expect(await stateOf(spark_id)).toEqual(UNTOUCHED);
    expect(await open(link_code)).toBe('revealed');
  });
});
