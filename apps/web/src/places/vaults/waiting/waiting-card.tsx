import type { ReactNode } from 'react';
import { forgetWaitingFile, type WaitingStep } from '../../../api/waiting-file.js';
import { waitingFileTexts as texts } from '../../../texts/waiting-file.js';
import { Button } from '../../../ui/button.js';
import { bytesText } from '../../../ui/format.js';
import { focusHeading } from '../../../ui/page.js';

interface Props {
  readonly file: File;
  readonly step: WaitingStep;
  readonly text: string;
  /** Buttons, or a link to where it goes on. */
  readonly children?: ReactNode;
}

/** Names the waiting file, and says what comes next. A running upload is cancelled in the list of uploads. */
export function WaitingCard({ file, step, text, children }: Props) {
  const name = step.kind === 'stored' ? step.name : file.name;
  const isDismissable = step.kind === 'waiting' || step.kind === 'stored';
  const dismiss = () => {
    forgetWaitingFile();
    focusHeading();
  };
  return (
    <section className="card stack tight" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p>
        <bdi>{name}</bdi> <span className="hint">{bytesText(file.size)}</span>
      </p>
      <p role="status">{text}</p>
      <div className="actions">
        {children}
        {isDismissable && (
          <Button kind="quiet" onPress={dismiss}>
            {texts.dismiss}
          </Button>
        )}
      </div>
    </section>
  );
}
