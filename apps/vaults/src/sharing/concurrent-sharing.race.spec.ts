import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openSharedFile, type SharedFile } from '@vaultsvc/contracts/vaults';
import { Database, statement } from '@vaultsvc/database';
import { internalContext, reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { useSharingPlatform, type SharingFixture } from '../testing/sharing.js';
import { sendContent } from '../testing/uploads.js';

const platform = useSharingPlatform();
let fixture: SharingFixture;
const pendingEnds: Promise<unknown>[] = [];
beforeAll(async () => {
  fixture = await platform.newSharingFixture();
});
afterEach(() => Promise.all(pendingEnds.splice(0)));

const lockIstks = statement('test.lock-istks', `LOCK TABLE istks IN SHARE MODE`);
const findWaiting = statement(
  'test.find-waiting',
  `SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'istks'::regclass`,
);

/** Runs `change` after `call` has asked forge to admit a URL and before forge does. */
async function duringAdmission<T>(
  call: () => Promise<T>,
  change: () => Promise<unknown>,
): Promise<Promise<T>[]> {
  return platform.forge.context.get(Database).transaction(async (tx) => {
    await tx.query(lockIstks);
    const answer = call();
    answer.catch(() => {}); // the test handles it; it may fail earlier
    await eventually(
      async () => (await tx.query(findWaiting)).length,
      (waiting) => waiting >= 1, // consumers of earlier events may wait too
    );
    await change();
    return [answer]; // an array, so that the transaction does not await it
  });
}

const linkOf = async (ingotId: string) => {
  const shares = `SELECT link_id FROM ingot_shares WHERE ingot_id = $1`;
  return (await platform.sql<{ link_id: string }>(shares, [ingotId]))[0]?.link_id;
};
/** Calls vaults directly: sparks, its usual caller, would refuse an ended link itself. */
async function open(ingot_id: string): Promise<() => Promise<SharedFile>> {
  const { accountId: account_id } = fixture.caller.credential;
  const link_id = (await linkOf(ingot_id)) as string;
  const body = {
    account_id,
    vault_id: fixture.vault_id,
    ingot_id,
    link_id,
    link_code: null,
    describe: false,
  };
  const context = internalContext();
  return () => platform.harness.bus.call(openSharedFile, { body }, context);
}

/** Ends a share. Its answer waits for forge too, so it is awaited after the test. */
async function end(ingotId: string): Promise<void> {
  pendingEnds.push(fixture.put(ingotId, { shared: false }));
  await eventually(
    () => linkOf(ingotId),
    (linkId) => linkId === undefined,
  );
}

describe('opening a durable link while forge admits the URL', () => {
  it('SHR-07: fails when the share ends', async () => {
    const ingot_id = await fixture.stored('ended in between');
    await fixture.share(ingot_id);
    const [opened] = await duringAdmission(await open(ingot_id), () => end(ingot_id));
    expect(await reasonOf(opened as Promise<SharedFile>)).toBe('LINK_REVOKED');
  });

  it('SHR-07: returns the new content when the content is replaced', async () => {
    const ingot_id = await fixture.stored('the old content');
    await fixture.share(ingot_id);
    await fixture.replace(ingot_id, { size_bytes: 7 });
    const version = (await fixture.pending(ingot_id)) as string;
    const [opened] = await duringAdmission(await open(ingot_id), () =>
      fixture.activate(ingot_id, version, 7),
    );
    expect(await opened).toMatchObject({ size_bytes: 7 });
  });
});

describe('replacing content while forge admits the upload', () => {
  const wrapsOf = (ingotId: string) =>
    platform.sql(`SELECT id FROM ingot_versions WHERE ingot_id = $1 AND shared_key IS NOT NULL`, [ingotId]);
  const replace = (ingotId: string, content: string) => () =>
    fixture.replace(ingotId, { size_bytes: Buffer.byteLength(content) });

  it('SHR-07: lets a new share open that content', async () => {
    const ingot_id = await fixture.stored('before it was shared');
    let code = '';
    const [upload] = await duringAdmission(replace(ingot_id, 'and after'), async () => {
      code = await fixture.share(ingot_id);
    });
    await sendContent((await upload)?.forge_url as string, Buffer.from('and after'));
    expect(await platform.fetched(code, 'files')).toBe('and after');
  });

  it('SHR-07: leaves no wrap of that content when the share ends', async () => {
    const ingot_id = await fixture.stored('shared until now');
    await fixture.share(ingot_id);
    const [upload] = await duringAdmission(replace(ingot_id, 'for nobody else'), () => end(ingot_id));
    await upload;
    expect(await wrapsOf(ingot_id)).toEqual([]);
  });
});
