import { validationError } from '@vaultsvc/contracts';
import { isRecipientText, recipientProblem } from '@vaultsvc/contracts/notify';
import { directoryKeyOfText } from './recipient.js';

/**
 * The key under which the preferences of a recipient are kept.
 * @throws VALIDATION_ERROR for a text that no send could name a recipient by
 */
export function preferenceKeyOf(recipientId: string): string {
  if (!isRecipientText(recipientId))
    throw validationError({
      field: 'recipient_id',
      message: recipientProblem(recipientId),
    });
  return directoryKeyOfText(recipientId);
}
