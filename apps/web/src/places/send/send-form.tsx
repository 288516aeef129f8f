import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ClipboardEvent, type DragEvent, type SubmitEvent } from 'react';
import { useKept } from '../../api/kept.js';
import { queryKeys } from '../../api/query-keys.js';
import { useClient, useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { sendTexts } from '../../texts/send.js';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/page.js';
import { ErrorProblem } from '../../ui/error-problem.js';
import { AudienceFields } from './audience-fields.js';
import { ContentFields } from './content-fields.js';
import { draftStore, showResult } from './draft.js';
import { problemOf, type DraftProblem } from './draft-problem.js';
import { ExpiryField } from './expiry-field.js';
import { isTooLarge } from './limits.js';
import { SecretSender } from './send-secret.js';

/** Below the form, and not on the way to the first secret: nothing if they cannot be loaded. */
const FirstSteps = lazy(() =>
  import('./first-steps.js').then(
    (loaded) => ({ default: loaded.FirstSteps }),
    () => ({ default: () => null }),
  ),
);

/** Files that are pasted or dropped anywhere in the form. */
function takeFile(event: { preventDefault(): void }, files: FileList): void {
  const [file] = files;
  if (!file) return;
  event.preventDefault();
  draftStore.update({ kind: 'file', file });
}

/** Checks, sends, and shows the result or what is wrong. */
function useSending() {
  const client = useClient();
  const queries = useQueryClient();
  const [sender] = useState(() => new SecretSender(client));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<DraftProblem>();
  const [error, setError] = useState<unknown>();
  const send = async () => {
    const draft = draftStore.get();
    const wrong = problemOf(draft);
    setProblem(wrong);
    setError(undefined);
    if (wrong || isBusy) return;
    setBusy(true);
    await sender.send(draft).then(showResult, setError);
    void queries.invalidateQueries({ queryKey: queryKeys.sent });
    setBusy(false);
  };
  return { isBusy, problem, error, send };
}

/** Content, expiry and audience of a secret. */
export function SendForm() {
  const draft = useKept(draftStore);
  const me = useMember();
  const isLarge = draft.kind === 'file' && draft.file !== undefined && isTooLarge(draft.file);
  const { isBusy, problem, error, send } = useSending();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void send();
  };
  return (
    <Page title={sendTexts.title} hint={sendTexts.hint} focusesContent>
      <form
        className="card stack"
        onSubmit={submit}
        onPaste={(event: ClipboardEvent) => takeFile(event, event.clipboardData.files)}
        onDragOver={(event: DragEvent) => event.preventDefault()}
        onDrop={(event: DragEvent) => takeFile(event, event.dataTransfer.files)}
        noValidate
      >
        <ContentFields draft={draft} problem={problem} />
        {!isLarge && (
          <>
            <ExpiryField draft={draft} />
            <AudienceFields draft={draft} problem={problem} />
            {error !== undefined && <ErrorProblem error={error} />}
            <Button type="submit" isBusy={isBusy} icon="send">
              {sendTexts.create}
            </Button>
          </>
        )}
      </form>
      {isManager(me) && (
        <Suspense>
          <FirstSteps />
        </Suspense>
      )}
    </Page>
  );
}
