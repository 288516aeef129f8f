import type { AccountContext, VisitContext } from '@vaultsvc/contracts';
import { openLink, type LinkContent, type LinkOpening } from '@vaultsvc/contracts/sparks';
import {
  createIngotLink,
  readSharing,
  updateSharing,
  updateVault,
  type CreatedIngotLink,
  type IngotSharing,
  type SharingChange,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { deadlineIn, reasonOf, rowsOf } from '@vaultsvc/testing/harness';
import { sparks as sparksService } from '@vaultsvc/tools-testing/services/sparks';
import {
  readContent,
  sendContent,
  startUploadPlatform,
  type UploadPlatform,
  type UploadFixture,
} from './uploads.js';

type Domain = VisitContext['visit']['domain'];

/** The services of uploads, and sparks for links. */
export interface SharingPlatform extends UploadPlatform {
  readonly sparks: RunningService;
  /** An open vault whose files may be shared. */
  newSharingFixture(caller?: AccountContext): Promise<SharingFixture>;
  sparksSql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Opens a link as a visitor of a link page. */
  visit(code: string, domain: Domain, body?: Partial<LinkOpening>): Promise<LinkContent>;
  /** Downloads as a visitor. Returns the content, or the reason of the error. */
  fetched(code: string, domain: Domain): Promise<string>;
}

export interface SharingFixture extends UploadFixture {
  /** Uploads an ingot through forge. */
  stored(content: string, body?: Parameters<UploadFixture['create']>[0]): Promise<string>;
  /** Replaces the content of an ingot through forge. */
  overwrite(ingotId: string, content: string): Promise<void>;
  put(ingotId: string, change: SharingChange): Promise<IngotSharing>;
  get(ingotId: string): Promise<IngotSharing>;
  /** Shares it publicly. Returns the code of its durable link. */
  share(ingotId: string): Promise<string>;
  /** Takes the hash of an ingot's content away for good: versions from before hashes have none. */
  withoutHash(ingotId: string): Promise<void>;
  /** Creates a one-time link. */
  link(ingotId: string, expires_in_seconds?: number): Promise<CreatedIngotLink>;
  setSharing(isOn: boolean): Promise<unknown>;
}

export async function startSharingPlatform(settings: Record<string, string> = {}): Promise<SharingPlatform> {
  const platform = await startUploadPlatform(settings);
  const sparks = await platform.harness.start(sparksService, settings);
  const visit: SharingPlatform['visit'] = (link_code, domain, body = {}) =>
    platform.harness.bus.call(
      openLink,
      { params: { link_code }, body: { describe: false, confirmed: true, ...body } },
      visitor(domain),
    );
  return {
    ...platform,
    sparks,
    visit,
    newSharingFixture: (caller) => newSharingFixture(platform, caller),
    sparksSql: (text, values) => rowsOf(sparks, text, values),
    fetched: async (code, domain) => {
      const opened = visit(code, domain);
      const reason = await reasonOf(opened);
      if (reason !== 'none') return reason;
      return (await readContent((await opened).download_url as string)).bytes.toString();
    },
  };
}

/** The platform for the tests of a spec file: see `useFixture`. */
export function useSharingPlatform(settings?: Record<string, string>): SharingPlatform {
  return useFixture(
    () => startSharingPlatform(settings),
    (platform) => platform.harness.stop(),
  );
}

function visitor(domain: Domain): VisitContext {
  return {
    requestId: newId('req_'),
    credential: { kind: 'none' },
    clientIp: '192.0.2.7',
    deadlineMs: deadlineIn(60),
    visit: { domain, userAgent: 'a browser' },
  };
}

async function newSharingFixture(platform: UploadPlatform, caller?: AccountContext): Promise<SharingFixture> {
  const fixture = await platform.newVaultFixture(caller);
  const { vault_id, call } = fixture;
  const of = (ingot_id: string) => ({ vault_id, ingot_id });
  const put: SharingFixture['put'] = (ingotId, body) => call(updateSharing, { params: of(ingotId), body });
  const setSharing: SharingFixture['setSharing'] = (public_file_sharing) =>
    call(updateVault, { params: { vault_id }, body: { public_file_sharing } });
  await setSharing(true);
  return {
    ...fixture,
    put,
    setSharing,
    get: (ingotId) => call(readSharing, { params: of(ingotId) }),
    share: async (ingotId) =>
      (await put(ingotId, { shared: true, visibility: 'public' })).link_code as string,
    link: (ingotId, seconds) =>
      call(createIngotLink, {
        params: of(ingotId),
        body: seconds === undefined ? {} : { expires_in_seconds: seconds },
      }),
    stored: async (content, body = {}) => {
      const { ingot_id, forge_url } = await fixture.create({
        ...body,
        size_bytes: Buffer.byteLength(content),
      });
      await sendContent(forge_url, Buffer.from(content));
      return ingot_id;
    },
    withoutHash: (ingotId) => takeHash(platform, ingotId),
    overwrite: async (ingotId, content) => {
      const { forge_url } = await fixture.replace(ingotId, { size_bytes: Buffer.byteLength(content) });
      await sendContent(forge_url, Buffer.from(content));
    },
  };
}

/** By a trigger: a message of Forge that comes again adds a hash that is missing. */
async function takeHash({ sql }: UploadPlatform, ingotId: string): Promise<void> {
  await sql(
    `CREATE OR REPLACE FUNCTION take_hash() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN NEW.sealed_hash := NULL; RETURN NEW; END $$`,
  );
  await sql(
    `CREATE TRIGGER "take_hash_${ingotId}" BEFORE UPDATE ON ingot_versions
       FOR EACH ROW WHEN (OLD.ingot_id = '${ingotId}') EXECUTE FUNCTION take_hash()`,
  );
  await sql(`UPDATE ingot_versions SET sealed_hash = NULL WHERE ingot_id = $1`, [ingotId]);
}
