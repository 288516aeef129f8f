import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../api/error-text.js';
import { useClient } from '../../session/session-context.js';
import { auditTexts as texts } from '../../texts/audit.js';
import { commonTexts } from '../../texts/common.js';
import { Button } from '../../ui/button.js';
import { Choice } from '../../ui/choice.js';
import { Dialog } from '../../ui/dialog.js';
import { bytesText } from '../../ui/format.js';
import { saveBlob } from '../../ui/save-text.js';
import { Problem } from '../../ui/states.js';
import { fileNameOf, receiveExport, type ExportFormat } from './export-file.js';
import { secondsOf, type AuditFilter } from './filter-address.js';

const formats = (['jsonl', 'csv'] as const).map((value) => ({ value, ...texts.formats[value] }));

/** Receives an export and saves it; closing the dialog cancels it. */
function useExport(filter: AuditFilter) {
  const client = useClient();
  const running = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState<string>();
  const [result, setResult] = useState<string>();
  const [error, setError] = useState<unknown>();
  useEffect(() => () => running.current?.abort(), []);
  const start = async (format: ExportFormat) => {
    const { signal } = (running.current = new AbortController());
    setResult(undefined);
    setError(undefined);
    setProgress(texts.preparing);
    try {
      const params = { query: { format, ...secondsOf(filter) } };
      const response = await client.stream('/v1/audit-logs/export', { params, signal });
      const { file, lines } = await receiveExport(response, signal, (count, bytes) =>
        setProgress(texts.received(count, bytesText(bytes))),
      );
      const name = fileNameOf(format);
      saveBlob(file, name);
      setResult(texts.saved(name, lines, bytesText(file.size)));
    } catch (thrown) {
      if (!signal.aborted) setError(thrown);
    } finally {
      setProgress(undefined);
    }
  };
  return { progress, result, error, start };
}

interface Props {
  readonly filter: AuditFilter;
  readonly onClose: () => void;
}

/** The log as a file, received by a call with the session of the person, not by an address that has a token. */
export function ExportDialog({ filter, onClose }: Props) {
  const [format, setFormat] = useState<ExportFormat>('jsonl');
  const { progress, result, error, start } = useExport(filter);
  const isBusy = progress !== undefined;
  return (
    <Dialog title={texts.exportTitle} onClose={onClose}>
      <p>{texts.exportHint}</p>
      <Choice label={texts.format} options={formats} value={format} onChange={setFormat} />
      {isBusy && <progress className="exporting" aria-label={texts.progress} />}
      {isBusy && <p className="hint">{progress}</p>}
      <p role="status" hidden={result === undefined}>
        {result}
      </p>
      {error !== undefined && (
        <Problem>
          {errorText(error)} {texts.nothingSaved}
        </Problem>
      )}
      <div className="actions">
        <Button isBusy={isBusy} onPress={() => void start(format)}>
          {texts.startExport}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {result === undefined ? commonTexts.cancel : commonTexts.close}
        </Button>
      </div>
    </Dialog>
  );
}
