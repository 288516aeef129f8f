import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../../api/load-part.js';
import { commonTexts } from '../../texts/common.js';
import { sentLinkTexts as texts } from '../../texts/send.js';
import { Button } from '../../ui/button.js';
import { copy } from '../../ui/copy.js';

/** Loaded when it is asked for. */
const QrCode = lazy(async () => ({ default: (await loadPart(() => import('../../ui/qr-code.js'))).QrCode }));

interface Props {
  readonly url: string;
  readonly until: string;
  /** The link was copied or shared. */
  readonly onTaken: () => void;
}

/** Copies the link or a message with it, opens the sheet of the system, or shows a QR code. */
export function LinkActions({ url, until, onTaken }: Props) {
  const [copied, setCopied] = useState<'link' | 'message'>();
  const [isCodeShown, showCode] = useState(false);
  const take = async (what: 'link' | 'message') => {
    if (!(await copy(what === 'link' ? url : texts.message(url, until)))) return;
    setCopied(what);
    onTaken();
  };
  // A rejection says that the person has closed the sheet.
  const share = () => navigator.share({ url }).then(onTaken, () => undefined);
  return (
    <>
      <div className="actions">
        <Button icon={copied === 'link' ? 'check' : 'copy'} onPress={() => void take('link')}>
          {copied === 'link' ? commonTexts.copied : texts.copyLink}
        </Button>
        <Button
          kind="quiet"
          icon={copied === 'message' ? 'check' : undefined}
          onPress={() => void take('message')}
        >
          {copied === 'message' ? commonTexts.copied : texts.copyMessage}
        </Button>
        {'share' in navigator && (
          <Button kind="quiet" icon="share" onPress={() => void share()}>
            {texts.share}
          </Button>
        )}
        <Button kind="quiet" icon="code" onPress={() => showCode(!isCodeShown)}>
          {isCodeShown ? texts.hideCode : texts.showCode}
        </Button>
      </div>
      {isCodeShown && (
        <Suspense>
          <QrCode text={url} label={texts.code} />
        </Suspense>
      )}
    </>
  );
}
