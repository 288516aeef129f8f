import { PLAINTEXT_DAYS_MAX, sealedCategories } from '@vaultsvc/contracts/notify';
import { categoryKey } from '../recipients/category-key.js';

/** A delivery whose content is in the message itself, for first-party flows; the API has none (NTF-24). */
export interface PlaintextDelivery {
  readonly category: string | null;
  readonly hasIngot: boolean;
  readonly contentType: string;
  readonly channels: readonly string[];
  readonly recipients: number;
  readonly historyDays: number;
}

const PLAINTEXT_TYPES = ['text/plain', 'text/html'];
const INLINE_CHANNELS = ['email'];
const PLAINTEXT_RECIPIENTS_MAX = 50;

/** The rule that a plaintext delivery violates; undefined if it is allowed (NTF-25, NTF-26). */
export function whySealed(
  delivery: PlaintextDelivery,
  additionalCategories: readonly string[],
): string | undefined {
  const { category, hasIngot, contentType, channels, recipients, historyDays } = delivery;
  const essence = (contentType.split(';', 1)[0] as string).trim().toLowerCase();
  const sealed = [...sealedCategories, ...additionalCategories].map(categoryKey);
  if (category !== null && sealed.includes(categoryKey(category)))
    return `the category ${category} is always sealed`;
  if (hasIngot) return 'an ingot is always sealed';
  if (!PLAINTEXT_TYPES.includes(essence)) return `only ${PLAINTEXT_TYPES.join(' and ')} can be plaintext`;
  if (channels.length === 0 || channels.some((channel) => !INLINE_CHANNELS.includes(channel)))
    return 'only e-mail carries plaintext';
  if (recipients > PLAINTEXT_RECIPIENTS_MAX)
    return `plaintext reaches at most ${PLAINTEXT_RECIPIENTS_MAX} recipients`;
  if (historyDays > PLAINTEXT_DAYS_MAX) return `plaintext is kept for at most ${PLAINTEXT_DAYS_MAX} days`;
  return undefined;
}
