import type {
  CrmId,
  DeletedRecordFile,
  OpenedPanel,
  RecordAccess,
  RecordDownload,
  RecordFiles,
} from '@vaultsvc/contracts/integrations';
import type { CreatedIngotLink, Ingot, IngotUpload } from '@vaultsvc/contracts/vaults';
import { ApiError } from '../../page-client/api-error.js';
import { dataOf, isUnauthorized, send, TIMEOUT_MS } from '../../page-client/api-request.js';

/** The vault is not open for this panel, or not any more: a key is needed. */
export class KeyNeeded extends Error {}

/** What `vaults` answers when a Vault Access Token has ended: 401, and 403 with this text after its time. */
const EXPIRED = 'The Vault Access Token has expired.';

/**
 * The requests of one panel. Bearer and Vault Access Token are in this object only. All methods reject with ApiError, whose status
 * is 401 when the panel has ended, and those that need the open vault with KeyNeeded.
 */
export class PanelSession {
  #vat: string | undefined;

  private constructor(
    private readonly app: CrmId,
    private readonly opened: OpenedPanel,
  ) {}

  static async open(app: CrmId, ticket: string): Promise<PanelSession> {
    return new PanelSession(app, await post<OpenedPanel>(app, 'session', ticket, {}));
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

  async files(): Promise<Ingot[]> {
    return (await this.#call<RecordFiles>('files', {})).files;
  }

  /** Opens the vault with its master key or a delegated key. The key is not kept. */
  async unseal(key: string): Promise<RecordAccess> {
    const access = await this.#call<RecordAccess>(
      'unseal',
      key.startsWith('dvak_') ? { dvak_token: key } : { vmk: key },
    );
    this.#vat = access.vat;
    return access;
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

  share(ingot_id: string): Promise<CreatedIngotLink> {
    return this.#unsealed('share', { ingot_id });
  }

  async #unsealed<T>(path: string, body: object): Promise<T> {
    if (this.#vat === undefined) throw new KeyNeeded();
    try {
      return await this.#call<T>(path, { ...body, vat: this.#vat });
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

  #call<T>(path: string, body: object): Promise<T> {
    return post(this.app, path, this.opened.token, body);
  }
}

async function post<T>(app: CrmId, path: string, bearer: string, body: object): Promise<T> {
  const response = await send(`/v1/apps/${app}/panel/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
    body: JSON.stringify(body),
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return dataOf<T>(response);
}
