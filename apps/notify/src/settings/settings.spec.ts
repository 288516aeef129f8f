import { describe, expect, it } from '@jest/globals';
import {
  NotifyConfiguration,
  putConfig,
  readConfig,
  registerPushToken,
  type NotifyConfigurationState,
} from '@vaultsvc/contracts/notify';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { useSendPlatform } from '../testing/send-platform.js';
import { TargetRepository } from './target.repository.js';

const platform = useSendPlatform();
const SLACK = 'https://hooks.slack.com/services/T000/B000/canarycanary';

describe('NTF-42 OPEN-34: the configuration', () => {
  it('can be put as it was read: the URLs of Slack and Teams keep their secrets', async () => {
    const caller = accountContext();
    const { accountId } = caller.credential;
    const put = (targets: NotifyConfigurationState['targets']) =>
      platform.harness.bus.call(
        putConfig,
        { body: Object.assign(new NotifyConfiguration(), { targets }) },
        caller,
      );
    const state = await put({ slack: { url: SLACK } } as never);
    expect(JSON.stringify(state)).not.toContain('canary');
    const { targets } = await platform.harness.bus.call(readConfig, {}, caller);
    await put(targets);
    const stored = await platform.notify.context.get(TargetRepository).read(accountId);
    expect(stored.get('slack')).toMatchObject({ url: SLACK });
  });
});

describe('NTF-40: a device of a browser', () => {
  const keys = {
    p256dh: Buffer.alloc(65, 4).toString('base64url'),
    auth: Buffer.alloc(16).toString('base64url'),
  };
  const register = (endpoint: string) => {
    const token = JSON.stringify({ endpoint, keys });
    const body = { recipient_id: 'ada', platform: 'web', token } as const;
    return reasonOf(platform.harness.bus.call(registerPushToken, { body: body as never }, accountContext()));
  };

  it.each(['http://push.example.com/x', 'https://10.0.0.1/x', 'https://user:secret@push.example.com/', 'x'])(
    'is refused with the endpoint %s',
    async (endpoint) => expect(await register(endpoint)).toBe('VALIDATION_ERROR'),
  );

  it('is registered with an https endpoint of a public host', async () => {
    expect(await register('https://push.example.com/x')).toBe('none');
  });
});
