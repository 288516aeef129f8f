import { useFixture } from '@vaultsvc/testing/fixtures';
import PostalMime, { type Email } from 'postal-mime';
import { startMailServer, type Behaviour, type MailServer } from './mail-server.js';
import { startSendPlatform, type SendPlatform } from './send-platform.js';

/** For specs: notify with the services that it calls, and the server to which it mails. */
export interface MailingPlatform extends SendPlatform {
  readonly mails: MailServer;
  /** The latest mail to an address. */
  mailTo(address: string): Promise<Email>;
}

/** The platform for the tests of a spec file: see `useFixture`. */
export function useMailingPlatform(behaviour?: Behaviour): MailingPlatform {
  return useFixture(
    () => startMailingPlatform(behaviour),
    async ({ harness, mails }) => {
      await harness.stop();
      await mails.stop();
    },
  );
}

async function startMailingPlatform(behaviour?: Behaviour): Promise<MailingPlatform> {
  const mails = await startMailServer(behaviour);
  const platform = await startSendPlatform({
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'no-reply@example.com',
    SIGN_IN_URL: 'http://127.0.0.1:8084/signin',
  });
  const mailTo = (address: string) => {
    const mail = mails.received.findLast(({ to }) => to.includes(address));
    if (!mail) throw new Error(`there is no mail to ${address}`);
    return PostalMime.parse(mail.raw);
  };
  return { ...platform, mails, mailTo };
}
