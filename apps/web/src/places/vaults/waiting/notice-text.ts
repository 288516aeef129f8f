import type { WaitingStep } from '../../../api/waiting-file.js';
import { waitingFileTexts as texts } from '../../../texts/waiting-file.js';

/** A page of the vaults, other than the files of an open one. */
export type NoticePage =
  | { readonly kind: 'list' | 'create' }
  /** Of one vault: its key form, or a part that shows no files. */
  | { readonly kind: 'locked' | 'part'; readonly vaultId: string };

export interface NoticeText {
  readonly text: string;
  /** The vault in whose files it goes on, if that is another page. */
  readonly filesOf: string | undefined;
}

/** Says on a page without files what comes next for the waiting file, and where. */
export function noticeText(step: WaitingStep, page: NoticePage): NoticeText {
  const pageVault = 'vaultId' in page ? page.vaultId : undefined;
  if (step.kind === 'waiting')
    return { text: texts.next[page.kind], filesOf: page.kind === 'part' ? pageVault : undefined };
  if (page.kind === 'locked' && step.vaultId === pageVault)
    return { text: texts.locked[step.kind], filesOf: undefined };
  return { text: texts.elsewhere[step.kind], filesOf: step.vaultId };
}
