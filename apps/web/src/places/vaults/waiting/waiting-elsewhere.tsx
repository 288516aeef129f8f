import { Link } from '@tanstack/react-router';
import type { WaitingStep } from '../../../api/waiting-file.js';
import { waitingFileTexts as texts } from '../../../texts/waiting-file.js';
import { noticeText, type NoticePage } from './notice-text.js';
import { WaitingCard } from './waiting-card.js';

interface Props {
  readonly file: File;
  readonly step: WaitingStep;
  readonly page: NoticePage;
}

/** The waiting file on a page where it is neither uploaded nor shared. */
export function WaitingElsewhere({ file, step, page }: Props) {
  const { text, filesOf } = noticeText(step, page);
  return (
    <WaitingCard file={file} step={step} text={text}>
      {filesOf !== undefined && (
        <Link className="button main" to="/vaults/$vaultId" params={{ vaultId: filesOf }}>
          {texts.toFiles}
        </Link>
      )}
    </WaitingCard>
  );
}
