import { randomBytes } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import { loadConfig, ServiceConfig } from '@vaultsvc/config';
import { serviceContext, type Handler, type OperationSpec } from '@vaultsvc/contracts';
import { admitTransfer, revokeTransfers } from '@vaultsvc/contracts/forge';
import { activateVersion } from '@vaultsvc/contracts/vaults';
import { wrapFileKey, type TransferTerms } from '@vaultsvc/crypto/container';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import { Bus, CallKeys, connectNats, OperationServer } from '@vaultsvc/messaging';

const DAY_SECONDS = 86_400;

/** A file with its ids and its unwrapped key. */
export interface BenchFile {
  readonly ids: { accountId: string; vaultId: string; ingotId: string; versionId: string };
  readonly bytes: number;
  readonly fileKey: Buffer;
}

/** The account and the vault of files. */
export interface BenchVault {
  readonly accountId: string;
  readonly vaultId: string;
}

/** A fake of vaults: mints ISTKs, admits them at Forge, and activates every finished upload. */
export class Transfers {
  readonly #vault = this.newVault();

  private constructor(
    private readonly connection: NatsConnection,
    private readonly bus: Bus,
  ) {}

  /** @param settings of vaults: its keys and its user at NATS */
  static async connect(natsUrl: string, settings: Record<string, string>): Promise<Transfers> {
    const config = loadConfig(ServiceConfig, { PROFILE: 'local', ...settings, NATS_URL: natsUrl });
    const connection = await connectNats(config, 'vaults');
    const keys = new CallKeys('vaults', config.CALL_KEYS.reveal());
    const handle: Handler<typeof activateVersion> = async () => ({ is_active: true });
    new OperationServer(connection, keys).serve({
      op: activateVersion,
      handle: handle as Handler<OperationSpec>,
    });
    return new Transfers(connection, new Bus(connection, keys));
  }

  /** A vault of an account of its own. */
  newVault(): BenchVault {
    return { accountId: newId('acc_'), vaultId: newId('vlt_') };
  }

  /** A file, by default in the one vault that most measurements use. */
  newFile(bytes: number, vault: BenchVault = this.#vault): BenchFile {
    const ids = { ...vault, ingotId: newId('ing_'), versionId: newId('ver_') };
    return { ids, bytes, fileKey: randomBytes(32) };
  }

  /** Mints a single-use ISTK that uploads the file. */
  upload(file: BenchFile): Promise<string> {
    return this.#admit(file, { operation: 'encrypt', mode: 'once', bytesMax: file.bytes });
  }

  /** Mints an ISTK that downloads the file, single-use or streaming. */
  download(file: BenchFile, mode: TransferTerms['mode']): Promise<string> {
    return this.#admit(file, { operation: 'decrypt', mode, bytesMax: 20 * file.bytes + 2 ** 30 });
  }

  /** Revokes all transfers of the file, which deletes its content. */
  async remove({ ids }: BenchFile): Promise<void> {
    const body = {
      vault_id: ids.vaultId,
      scope: 'ingot' as const,
      seal_epoch: null,
      subject_id: ids.ingotId,
    };
    await this.bus.call(
      revokeTransfers,
      { body },
      serviceContext({ requestId: 'bench', deadlineMs: Date.now() + 60_000 }),
    );
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  async #admit(file: BenchFile, given: Omit<TransferTerms, 'expiresAt'>): Promise<string> {
    const istk = mintBearer();
    const secret = parseBearer(istk) as Buffer;
    const terms = { ...given, expiresAt: Math.floor(Date.now() / 1_000) + DAY_SECONDS };
    const wrapped = wrapFileKey(secret, file.ids, { holder: 'istk', terms }, file.fileKey);
    const body = {
      ...refOf(file),
      lookup: lookupHash('istk', secret).toString('base64url'),
      wrapped_key: wrapped.toString('base64url'),
      operation: terms.operation,
      mode: terms.mode,
      bytes_max: terms.bytesMax,
      expires_at: terms.expiresAt,
    };
    await this.bus.call(admitTransfer, { body }, serviceContext({ requestId: 'bench' }));
    return istk;
  }
}

function refOf({ ids, bytes }: BenchFile) {
  return {
    account_id: ids.accountId,
    vault_id: ids.vaultId,
    ingot_id: ids.ingotId,
    version_id: ids.versionId,
    size_bytes: bytes,
    content_type: 'application/octet-stream',
    filename: 'bench.bin',
    dvak_id: null,
    seal_epoch: null,
  };
}
