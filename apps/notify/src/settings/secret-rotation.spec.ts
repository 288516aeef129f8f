import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { putConfig, type NotifyConfigurationState } from '@vaultsvc/contracts/notify';
import { webhookSignature } from '@vaultsvc/crypto/mac';
import { eventually } from '@vaultsvc/testing/waiting';
import { ProviderServer } from '../testing/provider-server.js';
import { useSendPlatform } from '../testing/send-platform.js';

const platform = useSendPlatform();
let endpoint: ProviderServer;
beforeAll(async () => {
  endpoint = await ProviderServer.start();
});
afterAll(() => endpoint.stop());

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const put = (
  webhook: { secret?: string | null } | null,
  caller: AccountContext,
): Promise<NotifyConfigurationState> =>
  platform.harness.bus.call(
    putConfig,
    { body: { targets: { webhook: webhook && { url: endpoint.origin, ...webhook } } } },
    caller,
  );

/** Which of these secrets have signed the next request, in this order. */
async function signersOf(
  caller: AccountContext,
  secrets: Record<string, string>,
): Promise<(string | undefined)[]> {
  endpoint.received.length = 0;
  await platform.send({ channels: ['webhook'] }, caller);
  const [{ headers, body }] = (await eventually(
    () => endpoint.received,
    ({ length }) => length > 0,
  )) as [(typeof endpoint.received)[0]];
  const parts = {
    id: String(headers['webhook-id']),
    timestamp: Number(headers['webhook-timestamp']),
    body: body.toString(),
  };
  const names = Object.entries(secrets).map(([name, secret]) => [webhookSignature(secret, parts), name]);
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => (Object.fromEntries(names) as Record<string, string>)[signature]);
}

const passes24Hours = ({
  credential: { accountId },
}: AccountContext & { credential: { accountId: string } }) =>
  platform.sql(
    `UPDATE former_webhook_secrets SET ends_at = ends_at - interval '24 hours' WHERE account_id = $1`,
    [accountId],
  );

describe('NTF-43: the secret of a webhook that is changed', () => {
  it('signs with the former one for 24 hours, then with the new one alone', async () => {
    const caller = await platform.newCaller();
    const secrets = { first: secretOf(1), second: secretOf(2) };
    await put({ secret: secrets.first }, caller);
    expect(await signersOf(caller, secrets)).toEqual(['first']);
    await put({ secret: secrets.second }, caller);
    await put({}, caller); // changes nothing
    expect(await signersOf(caller, secrets)).toEqual(['second', 'first']);
    const { credential } = caller as { credential: { accountId: string } };
    const [{ hours }] = (await platform.sql<{ hours: number }>(
      `SELECT extract(epoch FROM ends_at - now())::float8 / 3600 AS hours FROM former_webhook_secrets WHERE account_id = $1`,
      [credential.accountId],
    )) as [{ hours: number }];
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    await passes24Hours(caller as never);
    expect(await signersOf(caller, secrets)).toEqual(['second']);
  });

  it('is generated anew for null, and shown once', async () => {
    const caller = await platform.newCaller();
    const first = (await put({}, caller)).targets?.webhook?.secret ?? '';
    const second = (await put({ secret: null }, caller)).targets?.webhook?.secret ?? '';
    expect(first).toMatch(/^whsec_/);
    expect(second).toMatch(/^whsec_/);
    expect(second).not.toBe(first);
    expect((await put({}, caller)).targets?.webhook?.secret).toBeUndefined();
    expect(await signersOf(caller, { first, second })).toEqual(['second', 'first']);
  });

  it('signs with all those of the last 24 hours, and after the removal of the webhook with none of them', async () => {
    const caller = await platform.newCaller();
    const secrets = { first: secretOf(1), second: secretOf(2), third: secretOf(3), fourth: secretOf(4) };
    for (const secret of [secrets.first, secrets.second, secrets.third]) await put({ secret }, caller);
    expect(await signersOf(caller, secrets)).toEqual(['third', 'second', 'first']);
    await put(null, caller);
    await put({ secret: secrets.fourth }, caller);
    expect(await signersOf(caller, secrets)).toEqual(['fourth']);
  });

  it('is stored sealed, also the former one', async () => {
    const caller = await platform.newCaller();
    for (const byte of [5, 6]) await put({ secret: secretOf(byte) }, caller);
    const rows = await platform.sql<{ sealed: Buffer }>(
      `SELECT sealed FROM former_webhook_secrets UNION ALL SELECT sealed FROM channel_targets`,
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { sealed } of rows) expect(sealed.includes(secretOf(5).slice(6, 30))).toBe(false);
  });
});
