import type { ReactNode } from 'react';
import { useMember } from '../../../session/session-context.js';
import { channelTexts } from '../../../texts/notifications.js';
import { previewTexts as texts } from '../../../texts/notify-compose.js';
import { momentText } from '../../../ui/format.js';
import { delayText } from '../shared/steps-field.js';
import type { Channel } from '../shared/step.js';
import type { Draft } from './draft.js';
import { isPhone } from './recipient-text.js';
import type { PlannedStep } from './send-body.js';

interface Props {
  readonly draft: Draft;
  readonly step: PlannedStep;
  readonly number: number;
}

/** The message of one channel, as the platform words it, for the first recipient. */
export function MessagePreview({ draft, step: { channel, seconds }, number }: Props) {
  const skipped = draft.recipients.filter(({ address }) => !hasAddress(channel, address)).length;
  const delay = seconds === 0 ? undefined : delayText(String(seconds));
  const title = texts.message(channelTexts[channel]);
  return (
    <section className="card stack tight" aria-label={title}>
      <h2>{title}</h2>
      <p className="hint">{texts.step(number, delay)}</p>
      {skipped < draft.recipients.length && (
        <div className="message">
          <Message draft={draft} channel={channel} />
        </div>
      )}
      {skipped > 0 && <p className="remark">{texts.noAddress(skipped)}</p>}
    </section>
  );
}

const mail: readonly Channel[] = ['email'];
const phones: readonly Channel[] = ['sms', 'voice', 'whatsapp', 'rcs'];

/** Whether the channel has an address of the recipient: mails need an e-mail address, calls and texts a phone number. */
function hasAddress(channel: Channel, address: string): boolean {
  if (mail.includes(channel)) return !isPhone(address);
  return !phones.includes(channel) || isPhone(address);
}

function Message({ draft, channel }: { readonly draft: Draft; readonly channel: Channel }) {
  const { account } = useMember();
  const until = momentText(Date.now() / 1_000 + Number(draft.lifetime) * 60);
  const headline = texts.headline(account.organization_name);
  const title = draft.title.trim();
  const recipient = draft.recipients.find(({ address }) => hasAddress(channel, address))?.address ?? '';
  const short = texts.short(title === '' ? headline : `${headline}: ${title}`, until);
  const chat = (
    <>
      <p>{headline}</p>
      {title !== '' && <p>{title}</p>}
      <OpenLink />
      <p className="hint">{texts.chat(recipient, until)}</p>
    </>
  );
  const push = (
    <>
      <p className="row-title">{title === '' ? headline : title}</p>
      <p>{title === '' ? texts.push : `${headline}.`}</p>
    </>
  );
  const forms: Readonly<Record<Channel, ReactNode>> = {
    email: <Mail to={recipient} subject={title} headline={headline} until={until} />,
    sms: short,
    whatsapp: short,
    rcs: short,
    voice: texts.call,
    slack: chat,
    teams: chat,
    push,
    web_push: push,
    in_app: texts.inApp,
    websocket: texts.feed,
    webhook: texts.webhook,
  };
  return forms[channel];
}

interface MailProps {
  readonly to: string;
  readonly subject: string;
  readonly headline: string;
  readonly until: string;
}

function Mail({ to, subject, headline, until }: MailProps) {
  return (
    <>
      <dl className="facts">
        <dt>{texts.to}</dt>
        <dd>{to}</dd>
        <dt>{texts.subject}</dt>
        <dd>{subject === '' ? headline : subject}</dd>
      </dl>
      {subject !== '' && <p>{`${headline}.`}</p>}
      <p>{texts.mailText(until)}</p>
      <OpenLink />
      <p className="hint">{texts.footer(to)}</p>
    </>
  );
}

/** Looks like the link of the message, and leads nowhere. */
function OpenLink() {
  return <p className="link-look">{texts.open}</p>;
}
