import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as notify from '@vaultsvc/contracts/notify';
import { openLink } from '@vaultsvc/contracts/sparks';
import { api, succeeded } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { unsubscribeTokenOf } from '@vaultsvc/tools-testing/unsubscribe';
import { compactVerify, createRemoteJWKSet } from 'jose';
import { newTenant, type Tenant } from '../access/tenant.js';

const platform = usePlatform();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

const confirmed = { describe: false, confirmed: true };

/** Sends, and returns the codes of the links by recipient. */
async function linksOf(body: object): Promise<{ send_id: string; codes: Map<string, string> }> {
  const { send_id } = succeeded(await tenant.key.call(notify.sendNotification, { body: body as never }));
  const { recipient_states } = await reportOf(send_id);
  const codeOf = (url: string | null) => url?.split('/').at(-1) as string;
  const codes = recipient_states.map(({ recipient, link_url }) => [recipient, codeOf(link_url)] as const);
  return { send_id, codes: new Map(codes) };
}

const reportOf = async (send_id: string) =>
  succeeded(await tenant.key.call(notify.readSend, { params: { send_id } }));

const open = (link_code: string) =>
  api(platform.linkUrl).call(openLink, { params: { link_code }, body: confirmed });

async function interactionOf(link_code: string) {
  const opened = succeeded(await open(link_code));
  if (opened.type !== 'content' || !opened.interaction) throw new Error('the link asks for nothing');
  return opened.interaction;
}

const interact = (link_code: string, body: object) =>
  api(platform.linkUrl).call(notify.interact, { params: { link_code }, body: body as never });

describe('NTF-06 NTF-30: a notification to several people', () => {
  it('opens once for each of them, and the sender sees who has opened it', async () => {
    const recipients = ['ada@example.com', 'bob@example.com', 'ADA@example.com'];
    const content = { payload: 'The code is 4711.' };
    const { send_id, codes } = await linksOf({ recipients, content, channels: ['in_app'] });
    expect([...codes.keys()]).toEqual(['ada@example.com', 'bob@example.com']);
    for (const code of codes.values()) {
      expect(succeeded(await open(code))).toMatchObject({ type: 'content', payload: content.payload });
      expect((await open(code)).status).toBe(403);
    }
    expect((await reportOf(send_id)).recipient_states).toMatchObject([
      { recipient: 'ada@example.com', grant: 'consumed', link_url: null },
      { recipient: 'bob@example.com', grant: 'consumed', link_url: null },
    ]);
  });
});

describe('NTF-27 NTF-46: the receipt of a signature', () => {
  const content = { payload: 'I agree.' };
  const action_hash = createHash('sha256').update(content.payload).digest('hex');
  const policy = { interaction: 'sign' };
  const keySet = () =>
    createRemoteJWKSet(new URL('/.well-known/jwks.json', platform.url), { timeoutDuration: 60_000 });

  it('verifies with the published keys alone, and with no changed byte', async () => {
    const { send_id, codes } = await linksOf({
      recipients: ['ada'],
      content,
      policy,
      channels: ['in_app'],
    });
    const code = codes.get('ada') as string;
    const { interaction_token, action_hash: shown } = await interactionOf(code);
    expect(shown).toBe(action_hash);
    const { jws } = succeeded(await interact(code, { interaction_token, action: 'sign', action_hash }));
    const { payload, protectedHeader } = await compactVerify(jws, keySet());
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'receipt+jwt' });
    expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({
      sub: 'ada',
      send_id,
      action: 'sign',
      action_hash,
      account_id: tenant.accountId,
    });
    const [header, claims, signature] = jws.split('.') as [string, string, string];
    const changed = Buffer.from(claims, 'base64url').toString().replace('"sign"', '"deny"');
    const forged = [header, Buffer.from(changed).toString('base64url'), signature].join('.');
    await expect(compactVerify(forged, keySet())).rejects.toThrow('signature verification failed');
    const { receipts } = succeeded(await tenant.key.call(notify.listReceipts, { params: { send_id } }));
    expect(receipts.filter(({ action }) => action === 'sign')).toMatchObject([{ recipient: 'ada', jws }]);
  });

  it('is of the first decision: of racing signatures and refusals one counts, and a repetition has its receipt', async () => {
    const { codes } = await linksOf({ recipients: ['bob'], content, policy, channels: ['in_app'] });
    const code = codes.get('bob') as string;
    const { interaction_token } = await interactionOf(code);
    const decide = (action: string) => interact(code, { interaction_token, action, action_hash });
    const answers = await Promise.all(
      ['sign', 'deny', 'sign', 'deny', 'sign', 'deny'].map(async (action) => ({
        action,
        answer: await decide(action),
      })),
    );
    const counted = answers.filter(({ answer }) => answer.status === 200);
    const [decision] = new Set(counted.map(({ action }) => action));
    expect(new Set(counted.map(({ answer }) => succeeded(answer).jws)).size).toBe(1);
    for (const { action, answer } of answers) expect(answer.status).toBe(action === decision ? 200 : 409);
  });

  it('exists for no other content and no wrong token', async () => {
    const { codes } = await linksOf({ recipients: ['eve'], content, policy, channels: ['in_app'] });
    const code = codes.get('eve') as string;
    const { interaction_token } = await interactionOf(code);
    const sign = { interaction_token, action: 'sign', action_hash };
    const attempts = [
      { ...sign, action_hash: action_hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
      { ...sign, action_hash: undefined },
      { ...sign, interaction_token: `${interaction_token}x` },
      { ...sign, action: 'approve' },
    ];
    for (const attempt of attempts)
      expect((await interact(code, attempt)).status).toBeGreaterThanOrEqual(400);
    expect((await interact(code, sign)).status).toBe(200);
  });
});

describe('NTF-41: the unsubscribe link of a mail', () => {
  it('is described by GET, and ended by the form that mail clients post', async () => {
    const token = await unsubscribeTokenOf(platform.notify, tenant.accountId, 'ada@example.com');
    const url = `${platform.url}/v1/unsubscribe?token=${token}`;
    const read = async () => (await fetch(url).then((answer) => answer.json())) as { data: object };
    expect((await read()).data).toMatchObject({ unsubscribed: false, channel: 'email' });
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    const posted = await fetch(url, { method: 'POST', body });
    expect(posted.status).toBe(200);
    expect((await read()).data).toMatchObject({ unsubscribed: true });
  });

  it('is refused with a changed token, with 4xx', async () => {
    const token = await unsubscribeTokenOf(platform.notify, tenant.accountId, 'ada@example.com');
    for (const wrong of [`${token}A`, token.slice(1), 'x', '%00', '']) {
      const answer = await fetch(`${platform.url}/v1/unsubscribe?token=${wrong}`, { method: 'POST' });
      expect(Math.floor(answer.status / 100)).toBe(4);
    }
  });
});
