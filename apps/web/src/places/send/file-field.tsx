import { useId, useRef } from 'react';
import { sendTexts } from '../../texts/send.js';
import { Button } from '../../ui/button.js';
import { bytesText } from '../../ui/format.js';
import { draftStore } from './draft.js';
import { FILE_BYTES_MAX } from './limits.js';

interface Props {
  readonly file: File | undefined;
  readonly problem: string | undefined;
}

/** A file, chosen by a button, dropped or pasted. */
export function FileField({ file, problem }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const limit = bytesText(FILE_BYTES_MAX);
  return (
    <div className="field drop" role="group" aria-labelledby={id} aria-describedby={`${id}-hint`}>
      <span id={id} className="option-text">
        {sendTexts.file}
      </span>
      {file ? (
        <p>
          <bdi>{file.name}</bdi> <span className="hint">{bytesText(file.size)}</span>
        </p>
      ) : null}
      <p className="hint" id={`${id}-hint`}>
        {file ? sendTexts.fileNameHint : sendTexts.fileHint(limit)}
      </p>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ target }) => draftStore.update({ file: target.files?.[0] })}
      />
      <Button kind="quiet" icon="file" onPress={() => input.current?.click()}>
        {file ? sendTexts.otherFile : sendTexts.chooseFile}
      </Button>
      {problem && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
