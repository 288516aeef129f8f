import { beforeAll, describe, expect, it } from '@jest/globals';
import { interact, listConversations, readConversation, readSend } from '@vaultsvc/contracts/notify';
import { describeShare, openLink, openShare, readSpark } from '@vaultsvc/contracts/sparks';
import { updateSharing } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newIdentity } from './link-samples.js';
import { newConversation, newSendId } from './notify-samples.js';
import { newOneTimeLink, newSharing, sharedFileCode, vaultWithSharing } from './sharing-samples.js';
import { newTenant, type Tenant } from './tenant.js';

const platform = usePlatform();
let tenant: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  [tenant, stranger] = [await newTenant(platform), await newTenant(platform)];
});

describe('MISC-04 OPEN-33: each group of routes answers', () => {
  it.each([
    ['config', 'GET', '/v1/config', 200],
    ['health', 'GET', '/v1/health', 200],
    ['identity', 'POST', '/v1/auth/identity/verify', 400],
    ['me', 'GET', '/v1/me', 200],
    ['messaging', 'GET', '/v1/messaging/conversations', 200],
    ['profile', 'GET', '/v1/profile', 200],
    ['push-tokens', 'GET', '/v1/push-tokens', 200],
    ['settings', 'GET', '/v1/settings', 200],
    ['unsubscribe', 'POST', '/v1/unsubscribe', 400],
    ['users', 'GET', '/v1/users', 200],
  ] as const)('%s: %s %s is %i', async (_, method, target, status) => {
    const body = method === 'POST' ? { body: {} } : {};
    expect((await tenant.owner.send({ method, target, ...body })).status).toBe(status);
  });

  it('files: GET /v1/files/{code} and POST /v1/files/{code}/open are 200', async () => {
    const { code } = await sharedFileCode(tenant);
    const target = `/v1/files/${code}`;
    expect((await tenant.owner.send({ method: 'GET', target })).status).toBe(200);
    const opening = { method: 'POST', target: `${target}/open`, body: {} } as const;
    expect((await tenant.owner.send(opening)).status).toBe(200);
  });
});

describe('OPEN-33 OPEN-22: a durable share over the API', () => {
  it('is described and opened, by callers of any account, as often as they like', async () => {
    const params = await sharedFileCode(tenant);
    for (const caller of [tenant.key, stranger.key, stranger.owner]) {
      expect(succeeded(await caller.call(describeShare, { params }))).toEqual({
        name: expect.any(String),
        size_bytes: expect.any(Number),
      });
      expect(succeeded(await caller.call(openShare, { params, body: { confirmed: false } }))).toEqual({
        type: 'file',
        name: expect.any(String),
        size_bytes: expect.any(Number),
        content_type: expect.any(String),
        modified_at: null,
        download_url: expect.stringContaining('/decrypt?istk='),
      });
    }
  });

  it('that invites somebody else asks for an identity, and the link of a single opening is unknown', async () => {
    const { params, ...open } = await vaultWithSharing(tenant);
    const body = { ...newSharing(), visibility: 'invite_only' as const, invites: [newIdentity()] };
    const { link_url } = succeeded(await tenant.owner.call(updateSharing, { params, body }, open.headers));
    const code = new URL(link_url as string).pathname.slice(1);
    const once = (await newOneTimeLink(tenant)).params.code;
    for (const [given, status, reason] of [
      [code, 401, 'LINK_VERIFICATION_REQUIRED'],
      [once, 404, 'LINK_NOT_FOUND'],
      [newId('spk_'), 404, 'LINK_NOT_FOUND'],
    ] as const) {
      const input = { params: { code: given } };
      for (const answer of [
        await stranger.key.call(describeShare, input),
        await stranger.key.call(openShare, { ...input, body: { confirmed: true } }),
      ])
        expect(answer).toMatchObject({ status, error: { details: { reason } } });
    }
  });
});

describe('OPEN-33: conversations', () => {
  it('are the sends that ask for a reply, newest first; others have none', async () => {
    const own = await newTenant(platform);
    const first = await newConversation(own);
    await newSendId(own);
    const second = await newConversation(own);
    const page = succeeded(await own.key.call(listConversations, { query: { limit: 1 } }));
    expect(page).toMatchObject({
      conversations: [{ ...second, reply_count: 0 }],
      count: 1,
      has_more: true,
    });
    const { next_cursor: cursor } = page;
    expect(
      succeeded(await own.key.call(listConversations, { query: { limit: 1, cursor: cursor as string } })),
    ).toMatchObject({ conversations: [first], has_more: false });
  });

  it('have the replies of their recipients and the receipts, for their own account only', async () => {
    const params = await newConversation(tenant);
    const { recipient_states } = succeeded(await tenant.owner.call(readSend, { params }));
    const link_code = recipient_states[0]?.link_url?.split('/').at(-1) as string;
    const visitor = api(platform.linkUrl);
    const opening = { describe: false, confirmed: true };
    const opened = succeeded(await visitor.call(openLink, { params: { link_code }, body: opening }));
    const interaction_token = opened.interaction?.interaction_token as string;
    const reply = { interaction_token, action: 'reply' as const, reply: 'Yes.' };
    succeeded(await visitor.call(interact, { params: { link_code }, body: reply }));
    const found = await eventually(
      async () => succeeded(await tenant.key.call(readConversation, { params })),
      ({ replies }) => replies.length > 0,
    );
    expect(found).toMatchObject({
      ...params,
      reply_count: 1,
      replies: [{ recipient: recipient_states[0]?.recipient }],
      receipts: expect.arrayContaining([expect.objectContaining({ action: 'reply' })]),
    });
    const spark_id = found.replies[0]?.reply_spark_id as string;
    expect(succeeded(await tenant.key.call(readSpark, { params: { spark_id } }))).toMatchObject({
      payload: 'Yes.',
    });
    const other = await newSendId(tenant);
    for (const [caller, given] of [
      [stranger.key, params],
      [tenant.key, other],
    ] as const)
      expect(await caller.call(readConversation, { params: given })).toMatchObject({
        status: 404,
        error: { details: { reason: 'SEND_NOT_FOUND' } },
      });
  });
});
