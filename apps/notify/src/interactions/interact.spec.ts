import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountContext, type VisitContext } from '@vaultsvc/contracts';
import {
  interact,
  NotifyPolicy,
  readSend,
  sendNotification,
  type InteractionReceipt,
  type NewInteraction,
} from '@vaultsvc/contracts/notify';
import { describeVersion } from '@vaultsvc/contracts/vaults';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, internalContext, reasonOf, rowsOf } from '@vaultsvc/testing/harness';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import {
  startSharingPlatform,
  type SharingFixture,
  type SharingPlatform,
} from '@vaultsvc/tools-testing/file-sharing';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { decodeJwt } from 'jose';
import { notify } from '../service-definition.js';
import { newSend } from '../testing/new-send.js';

let platform: SharingPlatform;
let notifyService: RunningService;
let fixture: SharingFixture;
let caller: AccountContext;
beforeAll(async () => {
  platform = await startSharingPlatform({ LOG_LEVEL: 'silent' });
  const authService = await platform.harness.start(auth, { LOG_LEVEL: 'silent' });
  notifyService = await platform.harness.start(notify, { LOG_LEVEL: 'silent' });
  const { accountId, userId } = await newAccount(authService);
  fixture = await platform.newSharingFixture(accountContext({ accountId, userId }));
  const vault = { token: fixture.vat, accessLevel: 'read_write' } as const;
  caller = accountContext(fixture.caller.credential, { vault } as never);
});
afterAll(() => platform.harness.stop());

interface Opened {
  readonly ingotId: string;
  readonly code: string;
  readonly token: string;
  readonly hash: string;
}

/** Sends an ingot that is to be signed, and opens it. `prepare` is called before the send. */
async function opened(content: string, prepare?: (ingotId: string) => Promise<unknown>): Promise<Opened> {
  const ingotId = await fixture.stored(content);
  await prepare?.(ingotId);
  const ingot = { ingot_id: ingotId, vault_id: fixture.vault_id };
  const policy = Object.assign(new NotifyPolicy(), { interaction: 'sign' });
  const body = newSend({ content: null, ingot, policy });
  const { send_id } = await platform.harness.bus.call(sendNotification, { body }, caller);
  const report = await platform.harness.bus.call(readSend, { params: { send_id } }, caller);
  const code = report.recipient_states[0]?.link_url?.split('/').at(-1) as string;
  const { interaction } = await platform.visit(code, 'link');
  const { interaction_token: token, action_hash: hash } = interaction as NonNullable<typeof interaction>;
  return { ingotId, code, token, hash };
}

const sign = (
  { code, token, hash }: Opened,
  action: NewInteraction['action'] = 'sign',
  further: Partial<NewInteraction> = {},
) => {
  const context: VisitContext = {
    ...internalContext('req_of_visitor'),
    credential: { kind: 'none' },
    clientIp: '192.0.2.7',
    visit: { domain: 'link', userAgent: null },
  } as VisitContext;
  const body = { interaction_token: token, action, action_hash: hash, ...further };
  return platform.harness.bus.call(interact, { params: { link_code: code }, body }, context);
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const claimsOf = ({ jws }: InteractionReceipt) => decodeJwt<Record<string, unknown>>(jws);

describe('NTF-10 OPEN-64: the receipt of a file', () => {
  it('names its vault, version, size and content hash; the action hash is bound to the version', async () => {
    const file = await opened('a contract');
    const ids = { account_id: caller.credential.accountId, vault_id: fixture.vault_id };
    const body = { ...ids, ingot_id: file.ingotId };
    const version = await platform.harness.bus.call(describeVersion, { body }, internalContext());
    expect(claimsOf(await sign(file))).toMatchObject({
      asset_id: file.ingotId,
      vault_id: fixture.vault_id,
      version_id: version.version_id,
      size_bytes: 10,
      content_hash: sha256('a contract'),
      action_hash: file.hash,
    });
  });

  it.each(['view', 'sign', 'deny'] as const)('has the hash of the content for %s, too', async (action) => {
    const receipt = await sign(await opened('a contract'), action);
    expect(claimsOf(receipt)).toMatchObject({ action, content_hash: sha256('a contract') });
  });

  it('has the hash null for a version from before hashes', async () => {
    const receipt = await sign(await opened('a contract', fixture.withoutHash));
    expect(claimsOf(receipt)).toMatchObject({ size_bytes: 10, content_hash: null });
  });

  it('does not exist once the file was replaced, and a receipt from before stays', async () => {
    const [late, early] = [await opened('first'), await opened('first')];
    const receipt = await sign(early);
    await fixture.overwrite(late.ingotId, 'other');
    await fixture.overwrite(early.ingotId, 'other');
    expect(await reasonOf(sign(late))).toBe('INGOT_REPLACED');
    expect(await reasonOf(sign(late, 'deny'))).toBe('INGOT_REPLACED');
    expect(await reasonOf(sign(late, 'view'))).toBe('none');
    expect(await sign(early)).toEqual(receipt);
  });
});

describe('NTF-46 NTF-10: an action of a recipient who is asked to sign', () => {
  it.each(['approve', 'reply'] as const)('cannot be %s', async (action) => {
    const file = await opened('a contract');
    expect(await reasonOf(sign(file, action, { reply: action === 'reply' ? 'No.' : null }))).toBe(
      'INTERACTION_REFUSED',
    );
    expect(claimsOf(await sign(file))).toMatchObject({ action: 'sign' });
  });

  it('carries a reply for no action but reply', async () => {
    const file = await opened('a contract');
    await expect(sign(file, 'sign', { reply: 'Yes.' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'reply' }] },
    });
  });

  it('needs the hash of what was opened, in any case of its letters', async () => {
    const file = await opened('a contract');
    const other = sha256('another action');
    expect(await reasonOf(sign(file, 'sign', { action_hash: other }))).toBe('ACTION_HASH_MISMATCH');
    await expect(sign(file, 'sign', { action_hash: null })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'action_hash' }] },
    });
    const receipt = await sign(file, 'sign', { action_hash: file.hash.toUpperCase() });
    expect(claimsOf(receipt)).toMatchObject({ action: 'sign', action_hash: file.hash });
  });

  it('is not found once the history of its send has ended', async () => {
    const file = await opened('a contract');
    await rowsOf(notifyService, 'DELETE FROM sends');
    expect(await reasonOf(sign(file))).toBe('LINK_NOT_FOUND');
  });

  it('has one receipt, and keeps another decision out', async () => {
    const file = await opened('a contract');
    const receipt = await sign(file);
    expect(await sign(file)).toEqual(receipt);
    expect(await reasonOf(sign(file, 'deny'))).toBe('INTERACTION_DECIDED');
  });
});
