import { sendTexts } from '../../texts/send.js';
import { Choice } from '../../ui/choice.js';
import { Field } from '../../ui/field.js';
import { draftStore, kinds, type Draft, type Kind } from './draft.js';
import type { DraftProblem } from './draft-problem.js';
import { FileField } from './file-field.js';
import { byteLength, SPARK_BYTES_MAX } from './limits.js';
import { SpaceRemark } from './space-remark.js';

interface Props {
  readonly draft: Draft;
  readonly problem: DraftProblem | undefined;
}

/** What is sent. */
export function ContentFields({ draft, problem }: Props) {
  return (
    <>
      <Choice<Kind>
        form="beside"
        label={sendTexts.kind}
        value={draft.kind}
        onChange={(kind) => draftStore.update({ kind })}
        options={kinds.map((value) => ({ value, text: sendTexts.kinds[value], icon: value }))}
      />
      {draft.kind === 'text' && <SecretText draft={draft} problem={problem} />}
      {draft.kind === 'link' && (
        <Field
          label={sendTexts.address}
          hint={sendTexts.addressHint}
          type="url"
          value={draft.address}
          onChange={(address) => draftStore.update({ address })}
          problem={problem?.field === 'address' ? problem.text : undefined}
          isSecret
          autoFocus
        />
      )}
      {draft.kind === 'file' && (
        <FileField file={draft.file} problem={problem?.field === 'file' ? problem.text : undefined} />
      )}
    </>
  );
}

/** A text, with its size once that matters, and a remark about spaces that nobody sees. */
function SecretText({ draft: { text }, problem }: Props) {
  const used = byteLength(text);
  return (
    <div className="stack tight">
      <Field
        label={sendTexts.text}
        hint={sendTexts.textHint}
        value={text}
        onChange={(next) => draftStore.update({ text: next })}
        problem={problem?.field === 'text' ? problem.text : undefined}
        rows={4}
        isSecret
        autoFocus
      />
      {used > 0 && <p className="hint">{sendTexts.bytes(used, SPARK_BYTES_MAX)}</p>}
      <SpaceRemark text={text} />
    </div>
  );
}
