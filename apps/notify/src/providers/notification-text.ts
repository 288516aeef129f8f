import { richText, sanitizeName, type RichText } from '../text/rich-text.js';
import { shortName, shortTime } from '../text/short-text.js';
import type { OutgoingNotification } from './provider.js';

/** The rest and a link of about 50 characters then fit into one segment of a text message, if there is no title. */
const SHORT_NAME_MAX = 40;
const SHORT_TITLE_MAX = 60;

/** Names the sender: `Engines sent you a sealed message`. */
export function headline({ organizationName }: OutgoingNotification): RichText {
  return sentence(sanitizeName(organizationName));
}

/** The title that the sender chose, in one line without links; empty if there is none. */
export function titleOf({ title }: Pick<OutgoingNotification, 'title'>): string {
  return sanitizeName(title ?? '');
}

/** The message in one line with its link, for channels of plain text: mostly one segment of GSM 7-bit without a title. */
export function shortText(notification: OutgoingNotification): string {
  const { linkUrl, expiresAt } = notification;
  return `${shortHeadline(notification)}. Opens once, until ${shortTime(expiresAt)}: ${linkUrl}`;
}

/** The sender and the title in one line. */
export function shortHeadline({ organizationName, title }: OutgoingNotification): string {
  const about = shortName(title ?? '', SHORT_TITLE_MAX);
  const who = sentence(shortName(organizationName, SHORT_NAME_MAX)).text;
  return about === '' ? who : `${who}: ${about}`;
}

function sentence(name: string): RichText {
  return name === ''
    ? richText`A sealed message was sent to you`
    : richText`${name} sent you a sealed message`;
}
