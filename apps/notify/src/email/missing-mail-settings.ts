import type { NotifyConfig } from '../config.js';
import { emptySettings } from '../outbound/empty-settings.js';

/** The names of settings without which no mail is sent, neither of a notification nor any other: they share one queue. */
export function missingMailSettings({ SMTP_URL, MAIL_FROM, SIGN_IN_URL }: NotifyConfig): string[] {
  return emptySettings({ SMTP_URL, MAIL_FROM, SIGN_IN_URL });
}
