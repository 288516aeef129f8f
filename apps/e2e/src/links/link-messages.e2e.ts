import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { deliverIngotLink, inviteToIngot, resendInvite, revokeInvite } from '@vaultsvc/contracts/vaults';
import { succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { mailsTo, textsTo } from '../inbox.js';
import { newEmail, newPhone } from '../sign-in.js';
import { stack } from '../stack.js';
import { FileSender } from './file-sender.js';

const { mail_url } = stack();
let sender: FileSender;
beforeAll(async () => {
  sender = await FileSender.create('Contract.pdf', randomBytes(1_000));
});

/** Waits for so many messages to this address or number. */
function received(identity: string, count: number): Promise<string[]> {
  const texts = async () =>
    identity.includes('@')
      ? (await mailsTo(mail_url, identity)).map(({ text }) => text)
      : textsTo(mail_url, identity);
  return eventually(texts, ({ length }) => length >= count);
}

describe.each([
  ['by e-mail', newEmail],
  ['by text message', newPhone],
])('Messages about a file, sent %s,', (_, newIdentity) => {
  it('SHR-09 SHR-10 SHR-11: contain the invitation with its link, again after a resend, and not after it was revoked', async () => {
    const { public_url } = await sender.share({ shared: true, visibility: 'invite_only', invites: [] });
    const identity = newIdentity();
    const input = { params: sender.params, body: { identity } };
    const { invite_id } = succeeded(await sender.client.call(inviteToIngot, input, sender.headers));
    expect(await received(identity, 1)).toEqual([expect.stringContaining(public_url ?? '')]);
    const invite = { params: { ...sender.params, invite_id } };
    succeeded(await sender.client.call(resendInvite, invite, sender.headers));
    expect(await received(identity, 2)).toHaveLength(2);
    succeeded(await sender.client.call(revokeInvite, invite, sender.headers));
    expect((await sender.client.call(resendInvite, invite, sender.headers)).status).toBe(404);
    // The message of a later invitation arrives later, so this one would have arrived before it.
    const next = newIdentity();
    await sender.share({ invites: [next] });
    await received(next, 1);
    expect(await received(identity, 2)).toHaveLength(2);
  });

  it('SHR-14: contain a one-time link', async () => {
    const identity = newIdentity();
    const { link_code, link_url } = await sender.oneTimeLink();
    const input = { params: { ...sender.params, code: link_code }, body: { identity } };
    const answer = succeeded(await sender.client.call(deliverIngotLink, input, sender.headers));
    expect(answer).toMatchObject({ link_code, identity, delivered: true });
    expect(await received(identity, 1)).toEqual([expect.stringContaining(link_url)]);
  });
});
