import { randomBytes } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { assertAdmin, validationError, type ContextOf, type Input } from '@vaultsvc/contracts';
import {
  notifyChannels,
  putConfig,
  type NotifyConfiguration,
  type NotifyConfigurationState,
} from '@vaultsvc/contracts/notify';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { NotifyConfig } from '../config.js';
import { targetOf } from '../providers/target-url.js';
import { ConfigPresenter, shownUrl } from './config-presenter.js';
import { SettingsRepository } from './settings.repository.js';
import { TargetRepository, targetChannels, type Target, type TargetChannel } from './target.repository.js';

const SECRET_BYTES = 32;
const CATEGORY = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

@Controller()
export class PutConfig {
  constructor(
    private readonly database: Database,
    private readonly settings: SettingsRepository,
    private readonly targets: TargetRepository,
    private readonly presenter: ConfigPresenter,
    private readonly config: NotifyConfig,
  ) {}

  @Handles(putConfig)
  async handle(
    { body }: Input<typeof putConfig>,
    context: ContextOf<typeof putConfig>,
  ): Promise<NotifyConfigurationState> {
    assertAdmin(context);
    const { accountId } = context.credential;
    assertPriority(body);
    const { targets = {}, ...stored } = body;
    const generated = await this.#store(accountId, stored, targets);
    const state = await this.presenter.present(accountId);
    if (generated && state.targets?.webhook) state.targets.webhook.secret = generated;
    return state;
  }

  /** Returns the secret that was generated for a new webhook; it is shown this once. */
  async #store(
    accountId: string,
    stored: Omit<NotifyConfiguration, 'targets'>,
    requested: NonNullable<NotifyConfiguration['targets']>,
  ): Promise<string | undefined> {
    const known = await this.targets.read(accountId);
    const changed = targetChannels.flatMap((channel) => {
      const target = requested[channel];
      return target ? [{ channel, target: this.#checked(channel, target, known.get(channel)) }] : [];
    });
    const sealed = await Promise.all(
      changed.map(async ({ channel, target }) => ({
        channel,
        text: await this.targets.seal(accountId, channel, target),
      })),
    );
    await this.database.transaction(async (tx) => {
      await this.settings.put(tx, accountId, stored);
      for (const { channel, text } of sealed) await this.targets.put(tx, accountId, channel, text);
      for (const channel of targetChannels)
        if (requested[channel] === null) await this.targets.delete(tx, accountId, channel);
    });
    const isNew =
      requested.webhook && requested.webhook.secret === undefined && !known.get('webhook')?.secret;
    return isNew ? changed.find(({ channel }) => channel === 'webhook')?.target.secret : undefined;
  }

  /** A configuration may be put as it was read: a URL that is shown without its secret leaves the target as it is. */
  #checked(channel: TargetChannel, { url, secret }: Target, known: Target | undefined): Target {
    if (channel !== 'webhook' && known && url === shownUrl(channel, known)) return known;
    try {
      targetOf(url, this.config);
    } catch {
      const message = 'must be an https URL of a public host';
      throw validationError({ field: `targets.${channel}.url`, message });
    }
    return channel === 'webhook' ? { url, secret: secret ?? known?.secret ?? newSecret() } : { url };
  }
}

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

function assertPriority({ channel_priority: priority }: NotifyConfiguration): void {
  const known: readonly unknown[] = notifyChannels;
  for (const [category, channels] of Object.entries(priority as Record<string, unknown>)) {
    if (!CATEGORY.test(category))
      throw validationError({
        field: 'channel_priority',
        message: 'channel_priority has an invalid category',
      });
    if (!Array.isArray(channels) || channels.length === 0 || !channels.every((one) => known.includes(one)))
      throw validationError({
        field: 'channel_priority',
        message: `channel_priority must hold lists of channels: ${notifyChannels.join(', ')}`,
      });
  }
}
