import { useId, useRef } from 'react';
import { sendTexts } from '../../texts/send.js';
import { Button } from '../../ui/button.js';
import { bytesText } from '../../ui/format.js';
import { draftStore } from './draft.js';
import { LargeFile } from './large-file.js';
import { FILE_BYTES_MAX, isTooLarge } from './limits.js';

interface Props {
  readonly file: File | undefined;
  readonly problem: string | undefined;
}

/** A file, chosen by a button, dropped or pasted. */
export function FileField({ file, problem }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const isLarge = file !== undefined && isTooLarge(file);
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
        {file && !isLarge ? sendTexts.fileNameHint : sendTexts.fileHint(bytesText(FILE_BYTES_MAX))}
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
      {isLarge && <LargeFile file={file} />}
      {problem && !file && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
