import { Example } from '../core/example.js';
import { Pattern } from '../core/fields.js';

/** The ids of the integrations: a chat app and two CRM apps (D2 2). */
export const appIds = ['chatapp', 'crma', 'crmb'] as const;
export type AppId = (typeof appIds)[number];

/** The integrations with records, which have panels (OPEN-66). */
export const crmIds = ['crma', 'crmb'] as const satisfies readonly AppId[];
export type CrmId = (typeof crmIds)[number];

/** The form of an app id. Another text is invalid; a text of this form that no integration has is unknown (AMB-23). */
export const APP_SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Whether an integration has this id. */
export function isAppId(text: string): text is AppId {
  return (appIds as readonly string[]).includes(text);
}

/** Path parameters of operations on one integration. */
@Example({ app_id: 'crma' })
export class AppParams {
  @Pattern(APP_SLUG, { max: 64, says: 'a slug of lower-case letters, digits, - and _' }) app_id: string;
}
