import { NewSend, NotifyContent } from '@vaultsvc/contracts/notify';

/** The body of a send of content to one recipient in the app, unless the changes say otherwise. */
export function newSend(changes: Partial<NewSend> = {}): NewSend {
  const content = Object.assign(new NotifyContent(), { payload: 'for you' });
  const channels = ['in_app'] as const;
  return Object.assign(new NewSend(), { recipients: ['ada@example.com'], content, channels, ...changes });
}
