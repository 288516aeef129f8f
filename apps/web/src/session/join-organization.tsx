import { useState, type SubmitEvent } from 'react';
import { errorText } from '../api/error-text.js';
import { sessionTexts } from '../texts/session.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { dateText } from '../ui/format.js';
import { Notice } from '../ui/notice.js';
import { Problem } from '../ui/states.js';
import { useSession } from './session-context.js';
import type { PendingInvitation } from './session-state.js';
import { SignInButton } from './sign-in-notices.js';

/** Somebody who is signed in without an organization joins one, or creates one. */
export function JoinOrganization(props: { readonly invitations: readonly PendingInvitation[] }) {
  const { invitations } = props;
  const isInvited = invitations.length > 0;
  return (
    <Notice title={isInvited ? sessionTexts.join : sessionTexts.create} focusesContent={!isInvited}>
      {isInvited && <Invitations invitations={invitations} />}
      {isInvited && <h2>{sessionTexts.createInstead}</h2>}
      <p>{sessionTexts.createText}</p>
      <NewOrganization hasFocus={!isInvited} />
      <div className="actions">
        <SignInButton prompt="login" text={sessionTexts.useAnother} kind="quiet" />
      </div>
    </Notice>
  );
}

/** Runs a step that opens another session; the step that succeeds replaces this page. */
function useStep() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = (step: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    step().catch((thrown: unknown) => {
      setBusy(false);
      setError(thrown);
    });
  };
  return { isBusy, run, problem: error === undefined ? null : <Problem>{errorText(error)}</Problem> };
}

function Invitations({ invitations }: { readonly invitations: readonly PendingInvitation[] }) {
  const session = useSession();
  const { isBusy, run, problem } = useStep();
  return (
    <>
      <p>{sessionTexts.joinText}</p>
      <ul className="invitations">
        {invitations.map(({ invitation_id: id, organization_name: name, role, expires_at: end }) => (
          <li key={id}>
            <p>
              <bdi>{name}</bdi>, <span className="hint">{sessionTexts.invitation(role, dateText(end))}</span>
            </p>
            <Button isBusy={isBusy} onPress={() => run(() => session.acceptInvitation(id))}>
              {sessionTexts.accept(name)}
            </Button>
          </li>
        ))}
      </ul>
      {problem}
    </>
  );
}

function NewOrganization({ hasFocus }: { readonly hasFocus: boolean }) {
  const session = useSession();
  const [name, setName] = useState('');
  const { isBusy, run, problem } = useStep();
  const create = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    run(() => session.createOrganization(name));
  };
  return (
    <form onSubmit={create} className="stack">
      <Field
        label={sessionTexts.organization}
        hint={sessionTexts.organizationHint}
        value={name}
        onChange={setName}
        autoComplete="organization"
        maxLength={255}
        autoFocus={hasFocus}
      />
      {problem}
      <Button
        type="submit"
        kind={hasFocus ? 'main' : 'quiet'}
        isBusy={isBusy}
        isDisabled={name.trim() === ''}
      >
        {sessionTexts.createButton}
      </Button>
    </form>
  );
}
