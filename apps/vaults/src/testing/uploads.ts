import { type AccountContext, type Event } from '@vaultsvc/contracts';
import {
  activateVersion,
  createIngot,
  downloadIngot,
  replaceIngot,
  type DownloadRequest,
  type IngotDownload,
  type IngotReplacement,
  type IngotUpload,
  type NewIngot,
  type VersionActivation,
  type VersionRef,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, parseBearer } from '@vaultsvc/crypto/tokens';
import type { RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { internalContext, publishFrom, rowsOf, startHarness } from '@vaultsvc/testing/harness';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { startTransfers, type Transfers } from '@vaultsvc/tools-testing/transfers';
import { newVaultFixture, type VaultFixture } from './ingots.js';
import { startPlatform, type Platform } from './platform.js';

/** vaults with the services that uploads and downloads need: real Forge, reporting and auth. */
export interface UploadPlatform extends Platform, Transfers {
  readonly auth: RunningService;
  /** An open vault with the operations of callers on the content of ingots. */
  newVaultFixture(caller?: AccountContext): Promise<UploadFixture>;
  /** Publishes events of forge, all in one transaction. */
  publish<P extends object>(event: Event<P>, ...payloads: NoInfer<P>[]): Promise<void>;
  forgeSql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  reportingSql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

export interface UploadFixture extends VaultFixture {
  create(body: Partial<NewIngot>, context?: AccountContext): Promise<IngotUpload>;
  replace(ingotId: string, body: Partial<IngotReplacement>): Promise<IngotUpload>;
  download(ingotId: string, body?: Partial<DownloadRequest>): Promise<IngotDownload>;
  /** The pending version of an ingot; null: none. */
  pending(ingotId: string): Promise<string | null>;
  /** Calls vaults as forge does when an upload is complete. */
  activate(ingotId: string, versionId: string, sizeBytes: number): Promise<VersionActivation>;
  /** An ingot with a content of this size. */
  filled(body?: Partial<NewIngot>): Promise<string>;
  /** The reference of a version in events. */
  ref(ingot_id: string, version_id: string): VersionRef;
}

/** Pools large enough for one file of the maximum size. */
const ROOMY = { STORAGE_POOL_BYTES: '6000000000000', BANDWIDTH_POOL_BYTES: '6000000000000' };

export async function startUploadPlatform(settings: Record<string, string> = {}): Promise<UploadPlatform> {
  const harness = await startHarness({ LOG_LEVEL: 'silent', ...settings });
  const [transfers, authService] = await Promise.all([startTransfers(harness, ROOMY), harness.start(auth)]);
  const platform = await startPlatform({ FORGE_ORIGIN: transfers.forgeUrl }, harness);
  return {
    ...platform,
    ...transfers,
    auth: authService,
    publish: (event, ...payloads) =>
      publishFrom(transfers.forge, ...payloads.map((payload) => [event, payload] as const)),
    newVaultFixture: (caller) => newUploadFixture(platform, caller),
    forgeSql: (text, values) => rowsOf(transfers.forge, text, values),
    reportingSql: (text, values) => rowsOf(transfers.reporting, text, values),
  };
}

/** The platform for the tests of a spec file: see `useFixture`. */
export function useUploadPlatform(settings?: Record<string, string>): UploadPlatform {
  return useFixture(
    () => startUploadPlatform(settings),
    (platform) => platform.harness.stop(),
  );
}

async function newUploadFixture(platform: Platform, caller?: AccountContext): Promise<UploadFixture> {
  const fixture = await newVaultFixture(platform, caller);
  const { vault_id } = fixture;
  const account_id = fixture.caller.credential.accountId;
  const create: UploadFixture['create'] = (body, context = fixture.at('read_write')) =>
    platform.call(
      createIngot,
      { params: { vault_id }, body: { name: newId('file_'), size_bytes: 1_000, ...body } },
      context,
    );
  const pending: UploadFixture['pending'] = async (ingotId) => {
    const [ingot] = await platform.sql<{ pending_version: string | null }>(
      `SELECT pending_version FROM ingots WHERE id = $1`,
      [ingotId],
    );
    return ingot?.pending_version ?? null;
  };
  const ref: UploadFixture['ref'] = (ingot_id, version_id) => ({
    account_id,
    vault_id,
    ingot_id,
    version_id,
  });
  const activate: UploadFixture['activate'] = (ingotId, versionId, size_bytes) => {
    const body = { ...ref(ingotId, versionId), size_bytes };
    return platform.harness.bus.call(activateVersion, { body }, internalContext());
  };
  return {
    ...fixture,
    create,
    pending,
    activate,
    ref,
    replace: (ingot_id, body) =>
      fixture.call(replaceIngot, { params: { vault_id, ingot_id }, body: { size_bytes: 1_000, ...body } }),
    download: (ingot_id, body = {}) => fixture.call(downloadIngot, { params: { vault_id, ingot_id }, body }),
    filled: async (body = {}) => {
      const { ingot_id, size_bytes } = await create(body);
      await activate(ingot_id, (await pending(ingot_id)) as string, size_bytes);
      return ingot_id;
    },
  };
}

/** The ISTK in a URL of forge, and the hash by which forge finds it. */
export function istkOf(url: string): { istk: string; bytes: Buffer; lookup: Buffer } {
  const istk = new URL(url).searchParams.get('istk') as string;
  const bytes = parseBearer(istk) as Buffer;
  return { istk, bytes, lookup: lookupHash('istk', bytes) };
}

const TUS = { 'Tus-Resumable': '1.0.0' };

/** Uploads content of at most one chunk to a `forge_url`, as a tus client does. */
export async function sendContent(forgeUrl: string, content: Buffer): Promise<void> {
  const creation = { ...TUS, 'Upload-Length': String(content.length) };
  const created = await fetch(forgeUrl, { method: 'POST', headers: creation });
  const location = created.headers.get('location');
  if (created.status !== 201 || location === null) throw new Error(`no upload: ${created.status}`);
  const chunk = { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  const target = new URL(location, forgeUrl);
  const sent = await fetch(target, { method: 'PATCH', headers: chunk, body: new Uint8Array(content) });
  if (sent.status !== 204) throw new Error(`no chunk: ${sent.status}`);
}

/** The status and the bytes of a `download_url`. */
export async function readContent(downloadUrl: string): Promise<{ status: number; bytes: Buffer }> {
  const answer = await fetch(downloadUrl);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}
