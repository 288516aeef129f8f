import * as notify from '@vaultsvc/contracts/notify';
import { openLink } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { suppressedAddress } from '@vaultsvc/tools-testing/suppressions';
import { unsubscribeTokenOf } from '@vaultsvc/tools-testing/unsubscribe';
import type { Tenant } from './tenant.js';

/** The body of a send to one recipient in the app. */
export function newSend(changes: Partial<notify.NewSend> = {}) {
  const content = { payload: 'for you' };
  return { recipients: [`${newId('ada_')}@example.test`], content, channels: ['in_app'], ...changes };
}

/** The path parameter of a new send. */
export async function newSendId({ owner }: Tenant, changes: Partial<notify.NewSend> = {}) {
  const { send_id } = succeeded(
    await owner.call(notify.sendNotification, { body: newSend(changes) as never }),
  );
  return { send_id };
}

/** A delivery that has failed: the account has no webhook, even if it had one before. */
export async function failedDelivery(tenant: Tenant) {
  const body = { ...new notify.NotifyConfiguration(), targets: { webhook: null } };
  succeeded(await tenant.owner.call(notify.putConfig, { body }));
  const params = await newSendId(tenant, { channels: ['webhook'] });
  const { recipient_states } = await eventually(
    async () => succeeded(await tenant.owner.call(notify.readSend, { params })),
    ({ status }) => status === 'failed',
  );
  return { ...params, delivery_id: recipient_states[0]?.deliveries[0]?.delivery_id as string };
}

/** The token of an opened link, whose sender asks for an acknowledgement. */
export async function openedGrant(tenant: Tenant) {
  const params = await newSendId(tenant, { policy: { interaction: 'acknowledge' } as notify.NotifyPolicy });
  const { recipient_states } = succeeded(await tenant.owner.call(notify.readSend, { params }));
  const link_code = recipient_states[0]?.link_url?.split('/').at(-1) as string;
  const body = { describe: false, confirmed: true };
  const visitor = api(tenant.platform.linkUrl);
  const opened = succeeded(await visitor.call(openLink, { params: { link_code }, body }));
  if (opened.type !== 'content' || !opened.interaction) throw new Error('the link asks for nothing');
  const { interaction_token } = opened.interaction;
  return { params: { link_code }, body: { interaction_token, action: 'acknowledge' as const } };
}

/** A registered device. */
export async function pushToken({ owner }: Tenant) {
  const { push_token_id } = succeeded(await owner.call(notify.registerPushToken, { body: newPushToken() }));
  return { push_token_id };
}

/** The body that registers a device. */
export const newPushToken = () => ({ platform: 'fcm' as const, token: newId('token_'), recipient_id: 'ada' });

/** The body that sets preferences. */
export const newPreferences = () => ({
  channels_off: ['sms' as const],
  categories_off: [{ category: 'news', channel: null }],
  quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' },
});

/** An address that a mail server has refused. */
export async function suppression({ platform, accountId }: Tenant) {
  const suppression_id = await suppressedAddress(platform.notify, accountId, `${newId('ada_')}@example.test`);
  return { suppression_id };
}

/** The query of the link that ends the subscription of a recipient. */
export async function unsubscribeToken({ platform, accountId }: Tenant) {
  const email = `${newId('ada_').toLowerCase()}@example.test`;
  return { token: await unsubscribeTokenOf(platform.notify, accountId, email) };
}

/** A send that asks for a reply. */
export const newConversation = (tenant: Tenant) =>
  newSendId(tenant, { policy: { interaction: 'reply' } as notify.NotifyPolicy });
