import { describe, expect, it } from '@jest/globals';
import { updateSettings } from '@vaultsvc/contracts/auth';
import { createSpark, deleteLink, readLink, shareSpark } from '@vaultsvc/contracts/sparks';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import pg from 'pg';
import { signUpOrganization, newEmail, newPhone } from '../sign-in.js';
import { stack } from '../stack.js';
import { mailedCode, textedCode } from './received-codes.js';
import type { Visitor } from './visitor.js';
import { useVisitor } from './use-visitor.js';

const { api_url, postgres_url, postgres_shard_url, account } = stack();
const sender = api(api_url, { key: account.api_key });
let visitor: Visitor;

useVisitor((arrived) => (visitor = arrived));

const bodyOf = (body: Partial<InstanceType<typeof createSpark.body>>) =>
  body as InstanceType<typeof createSpark.body>;

type Sharing = Partial<InstanceType<typeof shareSpark.body>>;
async function shared(payload: string, sharing: Sharing = {}, client: Api = sender) {
  const { spark_id } = succeeded(await client.call(createSpark, { body: bodyOf({ payload }) }));
  const body = { visibility: 'public' as const, invites: [], ...sharing };
  return { spark_id, ...succeeded(await client.call(shareSpark, { params: { spark_id }, body })) };
}

/** Creates a link Spark and its link. */
async function linkTo(payload: string, more: { bound_ip?: string } = {}) {
  const body = bodyOf({ payload, content_type: 'text/uri-list', ...more });
  const { link_url = '', link_code = '' } = succeeded(await sender.call(createSpark, { body }));
  return { link_url, link_code };
}

const statusOf = async (link_code: string) =>
  succeeded(await sender.call(readLink, { params: { link_code } })).status;

/** Moves the expiry of a link into the past, so that the test need not wait for it (OPEN-63). */
async function expire(sparkId: string): Promise<void> {
  let expired = 0;
  for (const connectionString of [postgres_url, postgres_shard_url].filter(Boolean)) {
    const database = new pg.Client({ connectionString });
    await database.connect();
    const update = 'UPDATE sparks.sparklinks SET expires_at = now() WHERE asset_id = $1';
    expired += (await database.query(update, [sparkId])).rowCount ?? 0;
    await database.end();
  }
  expect(expired).toBe(1);
}

describe('A visitor with the link of a Spark', () => {
  it('LNK-11 LNK-12 LNK-14 OPEN-23: reads it once; the next visitor learns that it was opened', async () => {
    const { share_url, link_code } = await shared('the real thing');
    expect(await statusOf(link_code)).toBe('active');
    await visitor.page.goto(share_url);
    await visitor.showOnce();
    expect(await visitor.page.locator('pre').textContent()).toBe('the real thing');
    expect(await statusOf(link_code)).toBe('consumed');
    await visitor.page.reload();
    await visitor.sees('This link has been opened');
  });

  it('LNK-15: learns that it was withdrawn, or that it is unknown', async () => {
    const { share_url, link_code } = await shared('withdrawn');
    succeeded(await sender.call(deleteLink, { params: { link_code } }));
    await visitor.page.goto(share_url);
    await visitor.sees('This link was withdrawn');
    await visitor.page.goto(`${share_url.slice(0, -4)}AAAA`);
    await visitor.sees('This link leads nowhere');
  });

  it('LNK-17 LNK-18 OPEN-25: opens it with the code from the mail when it is only for their address', async () => {
    const address = newEmail();
    const { share_url, link_code } = await shared('for one', {
      visibility: 'invite_only',
      invites: [address],
    });
    await visitor.page.goto(share_url);
    await visitor.page.getByLabel('E-mail address').fill(address);
    await visitor.button('Send the code').click();
    await visitor.sees('Enter the code');
    await visitor.page.getByLabel('Code').fill(await mailedCode(address));
    await visitor.button('Continue').click();
    await visitor.showOnce();
    const link = succeeded(await sender.call(readLink, { params: { link_code } }));
    expect(link).toMatchObject({ status: 'consumed', verified_by: address });
  });

  it('SPK-41 LNK-17 OPEN-25: opens it with the code from a text message when it is only for their number', async () => {
    const phone = newPhone();
    const { share_url, link_code } = await shared('for a phone', {
      visibility: 'invite_only',
      invites: [phone],
    });
    await visitor.page.goto(share_url);
    await visitor.page.getByLabel('Phone number').fill(phone);
    await visitor.button('Send the code').click();
    await visitor.sees('Enter the code');
    await visitor.page.getByLabel('Code').fill(await textedCode(phone));
    await visitor.button('Continue').click();
    await visitor.showOnce();
    const link = succeeded(await sender.call(readLink, { params: { link_code } }));
    expect(link).toMatchObject({ status: 'consumed', verified_by: phone });
  });

  it('SPK-11: cannot open it from another IP address than the bound one, whatever their headers claim', async () => {
    const url = 'https://example.com/bound';
    const [foreign, own] = [
      await linkTo(url, { bound_ip: '203.0.113.9' }),
      await linkTo(url, { bound_ip: '127.0.0.1' }),
    ];
    await visitor.context.route(url, (route) => route.fulfill({ body: 'arrived' }));
    await visitor.context.setExtraHTTPHeaders({ 'X-Forwarded-For': '203.0.113.9' });
    await visitor.page.goto(foreign.link_url);
    await visitor.sees('This link does not open here');
    expect(await statusOf(foreign.link_code)).toBe('active');
    await visitor.page.goto(own.link_url);
    await visitor.page.waitForURL(url);
  });

  it('LNK-19: learns that it has expired', async () => {
    const { share_url, spark_id } = await shared('too late');
    await expire(spark_id);
    await visitor.page.goto(share_url);
    await visitor.sees('This link has expired');
  });

  it('OPEN-23: needs one press, not two, if the account requires a confirmation', async () => {
    const { client } = await signUpOrganization('Asks first');
    succeeded(await client.call(updateSettings, { body: { settings: { links_ask_first: true } } }));
    const { share_url, link_code } = await shared('after a click', {}, client);
    await visitor.page.goto(share_url);
    await visitor.sees('Your link is ready');
    const status = async () => succeeded(await client.call(readLink, { params: { link_code } })).status;
    expect(await status()).toBe('active');
    await visitor.showOnce();
    expect(await visitor.page.locator('pre').textContent()).toBe('after a click');
    expect(await status()).toBe('consumed');
  });

  it('LNK-12 LNK-16: is redirected to the URL of a link Spark', async () => {
    const payload = 'https://example.com/there?a=b';
    await visitor.context.route('https://example.com/**', (route) => route.fulfill({ body: 'arrived' }));
    const { link_url, link_code } = await linkTo(payload);
    await visitor.page.goto(link_url);
    await visitor.page.waitForURL(payload);
    expect(await statusOf(link_code)).toBe('consumed');
  });

  it('LNK-13 OPEN-26: is warned of a destination in a private network', async () => {
    const { link_url } = await linkTo('http://10.0.0.1/router');
    await visitor.page.goto(link_url);
    await visitor.sees('Think before you continue');
    await visitor.page.getByText('It leads to a device in a private network').waitFor();
    expect(visitor.page.url()).toBe(link_url);
  });
});
