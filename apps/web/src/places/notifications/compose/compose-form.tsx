import { useState, type SubmitEvent } from 'react';
import { composeTexts as texts } from '../../../texts/notify-compose.js';
import { Button } from '../../../ui/button.js';
import { Field } from '../../../ui/field.js';
import { useColleagues } from '../shared/use-colleagues.js';
import { draftStore, edit, showPreview, type Draft } from './draft.js';
import { problemOf, type DraftProblem } from './draft-problem.js';
import { DeliveryFields, PolicyFields } from './policy-fields.js';
import { RecipientsField } from './recipients-field.js';
import { merged, parseRecipients } from './recipient-text.js';

/** Adds what is typed to the recipients, and checks the draft before its preview. */
function useCompose() {
  const { data: colleagues = [] } = useColleagues();
  const [problem, setProblem] = useState<DraftProblem>();
  const add = (): boolean => {
    const { typed, recipients } = draftStore.get();
    const { found, wrong } = parseRecipients(typed, colleagues);
    if (wrong !== undefined) {
      setProblem({ field: 'recipients', text: texts.badRecipient(wrong) });
      return false;
    }
    setProblem(undefined);
    if (found.length > 0) edit({ recipients: merged(recipients, found), typed: '' });
    return true;
  };
  const preview = () => {
    if (!add()) return;
    const wrong = problemOf(draftStore.get());
    setProblem(wrong);
    if (!wrong) showPreview(true);
  };
  return { problem, add, preview };
}

/** Recipients, subject, content and terms of a notification. */
export function ComposeForm({ draft }: { readonly draft: Draft }) {
  const { problem, add, preview } = useCompose();
  const [hasOwnTerms] = useState(!draft.isByDefault || draft.category !== '');
  const problemIn = (field: DraftProblem['field']) => (problem?.field === field ? problem.text : undefined);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    preview();
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <RecipientsField draft={draft} problem={problemIn('recipients')} onAdd={add} />
      <Field
        label={texts.subject}
        hint={texts.subjectHint}
        value={draft.title}
        onChange={(title) => edit({ title })}
        autoComplete="off"
        maxLength={200}
      />
      <Field
        label={texts.content}
        hint={texts.contentHint}
        value={draft.content}
        onChange={(content) => edit({ content })}
        problem={problemIn('content')}
        rows={5}
        isSecret
      />
      <PolicyFields draft={draft} />
      <details className="more" open={hasOwnTerms}>
        <summary>{texts.more}</summary>
        <div className="stack">
          <DeliveryFields draft={draft} />
        </div>
      </details>
      <div className="actions">
        <Button type="submit">{texts.preview}</Button>
      </div>
    </form>
  );
}
