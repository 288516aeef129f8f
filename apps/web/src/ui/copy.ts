import { commonTexts } from '../texts/common.js';
import { toast } from './toast.js';

/**
 * Copies a text, and says that the system may keep it. It is not cleared later: that would destroy what the person copies next.
 * @returns whether it was copied
 */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    toast(commonTexts.copiedToast);
    return true;
  } catch {
    toast(commonTexts.copyFailed);
    return false;
  }
}
