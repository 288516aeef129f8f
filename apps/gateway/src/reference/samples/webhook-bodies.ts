import type { PublicOperation } from '@vaultsvc/contracts';
import {
  receiveChatCommand,
  receiveChatEvent,
  receiveChatInteraction,
  receiveCrmaEvents,
  receiveCrmbEvents,
} from '@vaultsvc/contracts/integrations';
import { receiveStripeEvent } from '@vaultsvc/contracts/reporting';

const TEAM = 'T1DC2JH3J';
const USER = 'U2147483697';

const command = {
  team_id: TEAM,
  user_id: USER,
  command: '/secret',
  text: '',
  trigger_id: '13345224609.738474920',
};

const submission = {
  type: 'view_submission',
  team: { id: TEAM },
  user: { id: USER, name: 'ana' },
  view: {
    callback_id: 'send_secret',
    state: {
      values: {
        secret: { text: { value: 'correct horse battery staple' } },
        recipient: { conversation: { selected_conversation: 'U3258494708' } },
      },
    },
  },
};

const payment = {
  id: 'evt_1PkT5mLkdIwHu7ixTq2mZr8v',
  object: 'event',
  created: 1_795_600_000,
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_3PkT5mLkdIwHu7ix0a1b2c3d', object: 'payment_intent', metadata: {} } },
};

/** Bodies that have no contract class, because their providers define them. Text is a form. */
const bodies = new Map<string, object | string>([
  [receiveChatCommand.name, new URLSearchParams(command).toString()],
  [receiveChatInteraction.name, new URLSearchParams({ payload: JSON.stringify(submission) }).toString()],
  [receiveChatEvent.name, { type: 'url_verification', challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY' }],
  [receiveCrmaEvents.name, [{ subscriptionType: 'app.deauthorize', portalId: 62_515_000 }]],
  [receiveCrmbEvents.name, { event: 'app.uninstall' }],
  [receiveStripeEvent.name, payment],
]);

/** The example of a provider's webhook; undefined for other operations. */
export const webhookBodyOf = ({ name }: PublicOperation): object | string | undefined => bodies.get(name);
