import { useRef, useState } from 'react';
import { useKept } from '../../../api/kept.js';
import { commonTexts } from '../../../texts/common.js';
import { secretsTexts as texts } from '../../../texts/secrets.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Field } from '../../../ui/field.js';
import { Problem } from '../../../ui/states.js';
import { toast } from '../../../ui/toast.js';
import { parseSecrets, type Parsed, type Secrets } from './parse-secrets.js';
import { closeDraft, secretDraft } from './secret-draft.js';
import { changeProblem, useChangeSecrets } from './use-secrets.js';

interface Props {
  readonly ingotId: string;
  readonly keys: readonly string[];
}

/** Imports secrets from a text or a file, after it has shown what they replace. */
export function ImportDialog({ ingotId, keys }: Props) {
  const { mode, ingotId: own } = useKept(secretDraft);
  if (mode !== 'import' || own !== ingotId) return null;
  return (
    <Dialog title={texts.importTitle} onClose={closeDraft}>
      <ImportForm ingotId={ingotId} keys={keys} />
    </Dialog>
  );
}

function ImportForm({ ingotId, keys }: Props) {
  const { value } = useKept(secretDraft);
  const chooser = useRef<HTMLInputElement>(null);
  const { isBusy, problem, store } = useStoring(ingotId);
  const parsed = value.trim() === '' ? undefined : parseSecrets(value);
  const secrets = parsed && 'secrets' in parsed ? parsed.secrets : undefined;
  const read = async (file: File | undefined) => {
    if (file) secretDraft.update({ value: await file.text() });
  };
  return (
    <>
      <Field
        label={texts.importText}
        hint={texts.importHint}
        value={value}
        onChange={(text) => secretDraft.update({ value: text })}
        problem={parsed && problemOf(parsed)}
        rows={5}
        isSecret
        autoFocus
      />
      <input ref={chooser} type="file" hidden onChange={({ target }) => void read(target.files?.[0])} />
      <Button kind="quiet" onPress={() => chooser.current?.click()}>
        {texts.importFile}
      </Button>
      {secrets && <Preview names={Object.keys(secrets)} keys={keys} />}
      {problem !== undefined && <Problem>{problem}</Problem>}
      <div className="actions">
        <Button isBusy={isBusy} isDisabled={!secrets} onPress={() => void (secrets && store(secrets))}>
          {texts.store}
        </Button>
        <Button kind="quiet" onPress={closeDraft}>
          {commonTexts.cancel}
        </Button>
      </div>
    </>
  );
}

/** After a refusal what was typed stays. */
function useStoring(ingotId: string) {
  const change = useChangeSecrets(ingotId);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const store = async (secrets: Secrets) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await change({ set: secrets });
      closeDraft();
      toast(texts.saved);
    } catch (error) {
      setProblem(changeProblem(error));
      setBusy(false);
    }
  };
  return { isBusy, problem, store };
}

function problemOf(parsed: Parsed): string | undefined {
  if (!('problem' in parsed)) return undefined;
  return parsed.problem === 'line' ? texts.importLine(parsed.line) : texts.importWrong;
}

function Preview({ names, keys }: { readonly names: readonly string[]; readonly keys: readonly string[] }) {
  const known = new Set(keys);
  const replaced = names.filter((name) => known.has(name));
  return (
    <section className="stack tight" aria-label={texts.preview}>
      <p>{texts.added(names.length - replaced.length)}</p>
      {replaced.length > 0 && (
        <>
          <p>{texts.replaced(replaced.length)}</p>
          <ul className="names" translate="no">
            {replaced.map((name) => (
              <li key={name}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
