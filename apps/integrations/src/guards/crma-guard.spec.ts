import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listCrmaFiles, receiveCrmaEvents, resolveCrmaRecord } from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { IntegrationsConfig } from '../config.js';
import { connectCrm, deliverCrm, signedByCrma, type CrmRequest } from '../testing/crm-requests.js';
import { useIntegrations } from '../testing/integrations-platform.js';

const platform = useIntegrations();
const record = { object_type: 'contact', record_id: '1' };
let portal: string;
let other: string;
beforeAll(async () => {
  [portal, other] = (await Promise.all(
    [0, 1].map(async () => (await connectCrm(platform, 'crma')).remoteId),
  )) as [string, string];
});

/** Equal requests of one millisecond would be repetitions. */
const unique = () => `&n=${newId('n_')}`;
const signed = (query: string, body: object = record) =>
  signedByCrma(platform, listCrmaFiles, `?${query}${unique()}`, body);
const answer = (request: CrmRequest) => reasonOf(deliverCrm(platform, listCrmaFiles, request));

describe('OPEN-38: portal and person of a request of crma', () => {
  it('come from the query, and act there', async () => {
    expect(await deliverCrm(platform, listCrmaFiles, signed(`userId=101&portalId=${portal}`))).toEqual({
      files: [],
      count: 0,
    });
  });

  it.each([
    ['a second portal first', () => `portalId=${other}&userId=1&userId=666&portalId=${portal}`],
    ['the same portal twice', () => `portalId=${portal}&userId=1&portalId=${portal}`],
    ['two people', () => `userId=1&userId=666&portalId=${portal}`],
    ['an escaped second name', () => `userId=1&%75serId=666&portalId=${portal}`],
    ['no portal', () => 'userId=1'],
    ['no person', () => `portalId=${portal}`],
    ['an empty person', () => `userId=&portalId=${portal}`],
    ['a person that is no id', () => `userId=a%20b&portalId=${portal}`],
  ])('are refused with %s', async (_, query) => {
    expect(await answer(signed(query()))).toBe('VALIDATION_ERROR');
  });

  it('OPEN-37: are ignored in the body', async () => {
    const body = { ...record, portal_id: other, user_id: '666' };
    const request = signed(`userId=101&portalId=${portal}`, body);
    const { folder_id } = await deliverCrm(
      platform,
      resolveCrmaRecord,
      signedByCrma(platform, resolveCrmaRecord, request.target.replace(/^[^?]*/, ''), body),
    );
    expect(folder_id).toMatch(/^fld_/);
    expect(
      await platform.sql(
        'SELECT user_id FROM panels WHERE account_id = (SELECT account_id FROM installations WHERE remote_id = $1)',
        [portal],
      ),
    ).toEqual([{ user_id: '101' }]);
    expect(await answer(signed('', body))).toBe('VALIDATION_ERROR');
  });
});

describe('OPEN-38: the same signed request again', () => {
  const request = () => signed(`userId=101&portalId=${portal}`);
  const running = (seconds: number) =>
    platform.sql(
      `UPDATE webhook_deliveries SET running_until = now() + make_interval(secs => ${seconds}) RETURNING 1`,
    );
  beforeEach(() => platform.sql('DELETE FROM webhook_deliveries'));

  it('is done again after a failure on our side, and is refused once it was answered', async () => {
    const same = request();
    await platform.sql('ALTER TABLE record_folders RENAME TO record_folders_away');
    expect(await answer(same)).toBe('INTERNAL_ERROR');
    await platform.sql('ALTER TABLE record_folders_away RENAME TO record_folders');
    expect(await answer(same)).toBe('none');
    expect(await answer(same)).toBe('VERIFIED_REQUEST_REFUSED');
  });

  it('is done again when the instance that had it has ended, and waits while it may still answer', async () => {
    const same = request();
    expect(await answer(same)).toBe('none');
    await running(10);
    expect(await answer(same)).toBe('BUSY');
    await running(-1);
    expect(await answer(same)).toBe('none');
    expect(await answer(same)).toBe('VERIFIED_REQUEST_REFUSED');
  });

  it('CRA-02: is done once, of twenty at the same time', async () => {
    const same = request();
    const answers = await Promise.all(Array.from({ length: 20 }, () => answer(same)));
    expect(answers.filter((reason) => reason === 'none')).toHaveLength(1);
  });

  it('is refused when the first was, although it would fit by now', async () => {
    const same = signed(`userId=101&portalId=${portal}`, { object_type: 'contact' });
    expect(await answer(same)).toBe('VALIDATION_ERROR');
    expect(await answer(same)).toBe('VALIDATION_ERROR');
  });
});

describe('OPEN-38 CRA-11: webhooks of crma', () => {
  const event = (changes: object = {}) => ({
    eventId: newId('n_'),
    subscriptionType: 'app.deauthorize',
    portalId: Number(portal),
    occurredAt: Date.now() + 5_000,
    ...changes,
  });
  const send = (body: unknown, query = '') =>
    reasonOf(deliverCrm(platform, receiveCrmaEvents, signedByCrma(platform, receiveCrmaEvents, query, body)));
  const isInstalled = async (remoteId = portal) =>
    (await platform.sql(`SELECT 1 FROM installations WHERE remote_id = $1 AND status = 'active'`, [remoteId]))
      .length > 0;
  const reconnect = () =>
    platform.sql(
      `UPDATE installations SET status = 'active', data_key_id = kept.data_key_id, sealed = kept.sealed, installed_at = now()
         FROM kept WHERE kept.remote_id = installations.remote_id`,
    );
  beforeAll(async () => {
    await platform.sql(`CREATE TABLE kept AS SELECT remote_id, data_key_id, sealed FROM installations`);
  });

  it.each(['portalId=1', 'userId=1', 'userEmail=a', 'appId=1', 'n=1&userId=1&portalId=2'])(
    'are not taken from the request proxy, whose query has %s',
    async (query) => {
      expect(await send([event()], `?${query}`)).toBe('VERIFIED_REQUEST_REFUSED');
      expect(await isInstalled()).toBe(true);
    },
  );

  it('are JSON', async () => {
    expect(await send('[{')).toBe('MALFORMED_JSON');
    expect(await isInstalled()).toBe(true);
  });

  it('have at most 100 events', async () => {
    expect(await send(Array.from({ length: 101 }, () => event()))).toBe('VALIDATION_ERROR');
    expect(await isInstalled()).toBe(true);
    expect(await send(Array.from({ length: 100 }, () => event({ portalId: 1 })))).toBe('none');
  });

  it('are of the app that is set, where they name one', async () => {
    const config = platform.service.context.get(IntegrationsConfig);
    config.CRMA_APP_ID = '54321';
    expect(await send([event({ appId: 12_345 })])).toBe('VERIFIED_REQUEST_REFUSED');
    expect(await isInstalled()).toBe(true);
    expect(await send([event({ appId: 54_321, portalId: 1 })])).toBe('none');
    config.CRMA_APP_ID = '';
  });

  it('that are older than the installation have no effect', async () => {
    expect(await send([event({ occurredAt: Date.now() - 3_600_000 })])).toBe('none');
    expect(await isInstalled()).toBe(true);
  });

  it('have an effect once, however often they are signed', async () => {
    const same = event();
    platform.providers.crma.uninstall(portal);
    expect(await send([same])).toBe('none');
    await eventually(isInstalled, (installed) => !installed);
    await reconnect();
    platform.providers.crma.uninstall(portal);
    expect(await send([same])).toBe('none');
    const hinted = await platform.sql(
      `SELECT 1 FROM installations WHERE remote_id = $1 AND status = 'active' AND hinted_at IS NOT NULL`,
      [portal],
    );
    expect(hinted).toEqual([]);
    expect(await send([event()])).toBe('none');
    await eventually(isInstalled, (installed) => !installed);
    await reconnect();
  });

  it('that are no objects, or name no portal, are acknowledged', async () => {
    expect(await send([null, 1, 'x', {}, { subscriptionType: 'app.deauthorize' }])).toBe('none');
    expect(await isInstalled()).toBe(true);
  });
});
