import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { validationError } from '@vaultsvc/contracts';
import type { ChannelTargetChanges } from '@vaultsvc/contracts/notify';
import type { SealedText } from '@vaultsvc/crypto/data-keys';
import { ConcurrentModification, type Queryable } from '@vaultsvc/database';
import { NotifyConfig } from '../config.js';
import { targetOf } from '../outbound/target-url.js';
import { shownUrl } from './config-presenter.js';
import { FormerSecretRepository } from './former-secret.repository.js';
import {
  TargetRepository,
  targetChannels,
  type StoredTarget,
  type Target,
  type TargetChannel,
} from './target.repository.js';

const SECRET_BYTES = 32;

/** A changed target, sealed, with that which it replaces. */
interface SealedChange {
  readonly channel: TargetChannel;
  readonly text: SealedText;
  readonly known: StoredTarget | undefined;
  /** The secret that it replaces. */
  readonly former: SealedText | undefined;
}

/** The changes of one request, ready to be stored. */
export interface PreparedTargets {
  readonly changes: readonly SealedChange[];
  readonly removed: readonly TargetChannel[];
  /** The secret that was generated for the webhook; it is shown this once. */
  readonly generated: string | undefined;
}

/** Changes the endpoints of an account. */
@Injectable()
export class TargetChanges {
  constructor(
    private readonly targets: TargetRepository,
    private readonly formers: FormerSecretRepository,
    private readonly config: NotifyConfig,
  ) {}

  /** Reads, checks and seals before the transaction, because sealing may wait for KMS. Throws VALIDATION_ERROR. */
  async prepare(accountId: string, requested: ChannelTargetChanges): Promise<PreparedTargets> {
    const known = await this.targets.read(accountId);
    const targets = targetChannels.flatMap((channel) => {
      const given = requested[channel];
      return given ? [{ channel, target: this.#checked(channel, given, known.get(channel)) }] : [];
    });
    const changes = targets.map(({ channel, target }) =>
      this.#sealed(accountId, channel, target, known.get(channel)),
    );
    const webhook = targets.find(({ channel }) => channel === 'webhook')?.target;
    const isGenerated = webhook?.secret !== known.get('webhook')?.secret && !requested.webhook?.secret;
    return {
      changes: await Promise.all(changes),
      removed: targetChannels.filter((channel) => requested[channel] === null),
      generated: isGenerated ? webhook?.secret : undefined,
    };
  }

  /** Throws ConcurrentModification if a target is no longer what `prepare` has read. */
  async apply(tx: Queryable, accountId: string, { changes, removed }: PreparedTargets): Promise<void> {
    for (const { channel, text, known, former } of changes) {
      if (!(await this.targets.put(tx, accountId, channel, text, known))) throw new ConcurrentModification();
      if (former) await this.formers.add(tx, accountId, former);
    }
    for (const channel of removed) await this.targets.delete(tx, accountId, channel);
    if (removed.includes('webhook')) await this.formers.deleteAll(tx, accountId);
  }

  async #sealed(
    accountId: string,
    channel: TargetChannel,
    target: Target,
    known: StoredTarget | undefined,
  ): Promise<SealedChange> {
    const isReplaced = known?.secret !== undefined && known.secret !== target.secret;
    return {
      channel,
      text: await this.targets.seal(accountId, channel, target),
      known,
      former: isReplaced ? await this.formers.seal(accountId, known.secret) : undefined,
    };
  }

  /** A configuration may be put as it was read: a URL that is shown without its secret leaves the target as it is. */
  #checked(
    channel: TargetChannel,
    { url, secret }: { readonly url: string; readonly secret?: string | null },
    known: Target | undefined,
  ): Target {
    if (channel !== 'webhook' && known && url === shownUrl(channel, known)) return { url: known.url };
    try {
      targetOf(url, this.config);
    } catch {
      const message = 'must be an https URL of a public host';
      throw validationError({ field: `targets.${channel}.url`, message });
    }
    if (channel !== 'webhook') return { url };
    return { url, secret: secret ?? (secret === null ? undefined : known?.secret) ?? newSecret() };
  }
}

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
