import type { Parser } from '@vaultsvc/config';
import { identityTypeOf } from '@vaultsvc/contracts';

/** Validates WHATSAPP_FROM and VOICE_FROM, numbers of the account. */
export const numberSender: Parser<string> = (text) => {
  if (identityTypeOf(text) === 'phone') return text;
  throw new Error('must be a number such as +14155550100');
};

/** Validates RCS_FROM. */
export const rcsSender: Parser<string> = (text) => {
  if (/^rcs:[A-Za-z0-9_.-]{1,128}$/.test(text) || /^MG[0-9a-f]{32}$/.test(text)) return text;
  throw new Error(
    'must be a sender such as rcs:example_agent, or a messaging service (MG and 32 hex digits)',
  );
};

/** Validates WHATSAPP_TEMPLATE. */
export const contentTemplate: Parser<string> = (text) => {
  if (/^HX[0-9a-f]{32}$/.test(text)) return text;
  throw new Error('must be a content template (HX and 32 hex digits)');
};
