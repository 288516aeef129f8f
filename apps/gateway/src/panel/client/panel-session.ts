import type {
  CrmId,
  DeletedRecordFile,
  OpenedPanel,
  RecordAccess,
  RecordDownload,
} from '@vaultsvc/contracts/integrations';
import type { CreatedIngotLink, Ingot, IngotUpload } from '@vaultsvc/contracts/vaults';
import { ApiError, createClient, type Client, type Schema } from '@vaultsvc/client';
import { isUnauthorized } from '../../page-client/error-text.js';
import { pageCalls } from '../../page-client/page-calls.js';

/** The vault is not open for this panel, or not any more: a key is needed. */
export class KeyNeeded extends Error {}

/** What `vaults` answers when a Vault Access Token has ended: 401, and 403 with this text after its time. */
const EXPIRED = 'The Vault Access Token has expired.';

/** News of Forge arrive in a fraction of a second; a service that restarts needs some more. */
const CANCELLED_WAITS_MS = [100, 300, 1_000, 3_000, 5_000];

/**
 * The requests of one panel. Bearer and Vault Access Token are in this object only. All methods reject with ApiError, whose status
 * is 401 when the panel has ended, and those that need the open vault with KeyNeeded.
 */
export class PanelSession {
  #vat: string | undefined;

  readonly #client: Client;

  private constructor(
    private readonly app: CrmId,
    private readonly opened: OpenedPanel,
  ) {
    this.#client = clientOf(opened.token);
  }

  static async open(app: CrmId, ticket: string): Promise<PanelSession> {
    const client = clientOf(ticket);
    const { data } = await client.POST('/v1/apps/{app_id}/panel/session', pathOf(app));
    return new PanelSession(app, data);
  }

  /** The record, such as `contact 501`. */
  get record(): string {
    return `${this.opened.object_type} ${this.opened.record_id}`;
  }

  /** When the panel ends, in epoch seconds. */
  get expiresAt(): number {
    return this.opened.expires_at;
  }

  get isUnsealed(): boolean {
    return this.#vat !== undefined;
  }

  async files(): Promise<readonly Ingot[]> {
    const { data } = await this.#client.POST('/v1/apps/{app_id}/panel/files', pathOf(this.app));
    return data.files;
  }

  /** Opens the vault with its master key or a delegated key. The key is not kept. */
  async unseal(key: string): Promise<RecordAccess> {
    const { data } = await this.#client.POST('/v1/apps/{app_id}/panel/unseal', {
      ...pathOf(this.app),
      body: key.startsWith('dvak_') ? { dvak_token: key } : { vmk: key },
    });
    this.#vat = data.vat;
    return data;
  }

  /** Forgets the token of the vault. */
  seal(): void {
    this.#vat = undefined;
  }

  upload({ name, size, type }: File): Promise<IngotUpload> {
    const content_type = type === '' ? {} : { content_type: type };
    return this.#unsealed('upload', { name, size_bytes: size, ...content_type });
  }

  download(ingot_id: string): Promise<RecordDownload> {
    return this.#unsealed('download', { ingot_id });
  }

  delete(ingot_id: string): Promise<DeletedRecordFile> {
    return this.#unsealed('delete-file', { ingot_id });
  }

  /** Deletes a file whose upload Forge has ended, as soon as the vault has heard of that. */
  async deleteCancelled(ingot_id: string): Promise<void> {
    for (const wait of CANCELLED_WAITS_MS) {
      const file = (await this.files()).find((each) => each.ingot_id === ingot_id);
      if (!file) return;
      if (file.status !== 'uploading') return void (await this.delete(ingot_id));
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  share(ingot_id: string): Promise<CreatedIngotLink> {
    return this.#unsealed('share', { ingot_id });
  }

  async #unsealed<N extends keyof UnsealedCalls>(
    name: N,
    body: Omit<UnsealedCalls[N]['body'], 'vat'>,
  ): Promise<UnsealedCalls[N]['data']> {
    if (this.#vat === undefined) throw new KeyNeeded();
    try {
      const options = { ...pathOf(this.app), body: { ...body, vat: this.#vat } };
      const { data } = await this.#client.POST(`/v1/apps/{app_id}/panel/${name}`, options as never);
      return data as UnsealedCalls[N]['data'];
    } catch (error) {
      if (!(await this.#isTokenEnded(error))) throw error;
      this.seal();
      throw new KeyNeeded();
    }
  }

  /** Whether the token of the vault has ended, and not the panel: the list needs no token. */
  async #isTokenEnded(error: unknown): Promise<boolean> {
    if (error instanceof ApiError && error.message === EXPIRED) return true;
    if (!isUnauthorized(error)) return false;
    return this.files().then(
      () => true,
      (other: unknown) => !isUnauthorized(other),
    );
  }
}

/** The calls that need the open vault. */
interface UnsealedCalls {
  readonly upload: { readonly body: Schema<'NewPanelFile'>; readonly data: IngotUpload };
  readonly download: { readonly body: Schema<'PanelFile'>; readonly data: RecordDownload };
  readonly 'delete-file': { readonly body: Schema<'PanelFile'>; readonly data: DeletedRecordFile };
  readonly share: { readonly body: Schema<'NewPanelLink'>; readonly data: CreatedIngotLink };
}

const pathOf = (app_id: CrmId) => ({ params: { path: { app_id } } });

/** A client whose bearer is that of the panel, which is not renewed. */
function clientOf(bearer: string): Client {
  const session = { accessToken: async () => bearer, renewAfter: async () => undefined };
  return createClient({ ...pageCalls, session });
}
