import { useCallback, useMemo, useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import type { PreviewReport } from '../../../preview-frame/preview-message.js';
import { commonTexts } from '../../../texts/common.js';
import { previewTexts as texts } from '../../../texts/preview.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Problem } from '../../../ui/states.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { PreviewFrame } from './preview-frame.js';
import type { Previewable } from './preview-kind.js';
import { useFileBytes } from './use-file-bytes.js';

interface Props {
  readonly file: { readonly ingot_id: string; readonly name: string; readonly size_bytes: number };
  readonly form: Previewable;
  readonly onDownload: () => void;
  readonly onClose: () => void;
}

/** The content of a file, read when this is opened. */
export function PreviewDialog({ file, form, onDownload, onClose }: Props) {
  return (
    <Dialog title={file.name} isWide onClose={onClose}>
      <Content file={file} form={form} onClose={onClose} />
      <div className="actions">
        <Button kind="quiet" onPress={onDownload}>
          {texts.download}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </Dialog>
  );
}

function Content({ file, form: { kind, type }, onClose }: Omit<Props, 'onDownload'>) {
  const { ingot_id: ingotId, name, size_bytes: size } = file;
  const read = useFileBytes(useOpenVault(), ingotId, size);
  const [shown, setShown] = useState<PreviewReport>();
  const bytes = read.status === 'read' ? read.bytes : undefined;
  const content = useMemo(
    () => bytes && { kind, type, bytes, label: texts.content(name), pageLabel: texts.page },
    [bytes, kind, type, name],
  );
  const onReport = useCallback(
    (report: PreviewReport) => (report === 'escape' ? onClose() : setShown(report)),
    [onClose],
  );
  if (read.status === 'failed') return <Problem>{errorText(read.error)}</Problem>;
  if (shown === 'failed') return <Problem>{texts.failed}</Problem>;
  if (shown === 'locked') return <Problem>{texts.locked}</Problem>;
  return (
    <>
      {shown === undefined && (
        <p className="hint" role="status">
          {texts.reading(read.status === 'reading' ? read.percent : 100)}
        </p>
      )}
      {content && <PreviewFrame name={name} content={content} onReport={onReport} />}
    </>
  );
}
