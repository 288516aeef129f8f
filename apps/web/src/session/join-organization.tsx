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
  const [name, setName] = useState('');
  return (
    <Notice title={isInvited ? sessionTexts.join : sessionTexts.create} focusesContent={!isInvited}>
      {isInvited && <Invitations invitations={invitations} />}
      {isInvited && <h2>{sessionTexts.createInstead}</h2>}
      <p>{sessionTexts.createText}</p>
      {/* Another one receives the focus after the last invitation was declined. */}
      <NewOrganization key={String(isInvited)} name={name} onName={setName} hasFocus={!isInvited} />
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
    step()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return { isBusy, run, problem: error === undefined ? null : <Problem>{errorText(error)}</Problem> };
}

function Invitations({ invitations }: { readonly invitations: readonly PendingInvitation[] }) {
  const session = useSession();
  const { isBusy, run, problem } = useStep();
  const decline = (id: string) => run(() => session.declineInvitation(id));
  return (
    <>
      <p>{sessionTexts.joinText}</p>
      <ul className="invitations">
        {invitations.map(
          ({ invitation_id: id, organization_name: name, role, invited_by: by, expires_at: end }) => (
            <li key={id}>
              <p>
                <bdi>{name}</bdi>,{' '}
                <span className="hint">{sessionTexts.invitation(role, by, dateText(end))}</span>
              </p>
              <div className="actions">
                <Button isBusy={isBusy} onPress={() => run(() => session.acceptInvitation(id))}>
                  {sessionTexts.accept(name)}
                </Button>
                <Button kind="quiet" isBusy={isBusy} onPress={() => decline(id)}>
                  {sessionTexts.decline}
                </Button>
              </div>
            </li>
          ),
        )}
      </ul>
      {problem}
    </>
  );
}

interface NewOrganizationProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly hasFocus: boolean;
}

function NewOrganization({ name, onName, hasFocus }: NewOrganizationProps) {
  const session = useSession();
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
        onChange={onName}
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
