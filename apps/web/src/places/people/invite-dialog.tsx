import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@vaultsvc/client';
import { useState } from 'react';
import { errorText } from '../../api/error-text.js';
import { queryKeys } from '../../api/query-keys.js';
import { useClient } from '../../session/session-context.js';
import { peopleTexts as texts } from '../../texts/people.js';
import { FormDialog } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { PlaceLink } from '../../ui/place-link.js';
import { isEmail } from '../../ui/typed-address.js';
import { toast } from '../../ui/toast.js';
import { RoleFields, type Rights } from './role-fields.js';

/** Invites a person by e-mail, with role and seat. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [rights, setRights] = useState<Rights>({ role: 'member', seat: 'full' });
  const [isWrong, setWrong] = useState(false);
  const invite = async () => {
    const named = name.trim() === '' ? {} : { name };
    const { data } = await client.POST('/v1/users', { body: { email: email.trim(), ...named, ...rights } });
    await queries.invalidateQueries({ queryKey: queryKeys.people });
    toast(texts.invited(data.email));
  };
  const check = () => {
    setWrong(!isEmail(email));
    return isEmail(email);
  };
  return (
    <FormDialog
      title={texts.inviteTitle}
      submit={texts.sendInvitation}
      isDisabled={email.trim() === ''}
      check={check}
      act={invite}
      explain={explain}
      onClose={onClose}
    >
      <Field
        label={texts.email}
        hint={texts.emailHint}
        type="email"
        value={email}
        problem={isWrong ? texts.emailProblem : undefined}
        onChange={setEmail}
        autoComplete="off"
        maxLength={254}
        autoFocus
      />
      <Field label={texts.name} value={name} onChange={setName} autoComplete="off" maxLength={255} />
      <RoleFields rights={rights} onChange={setRights} />
    </FormDialog>
  );
}

/** All seats in use leads on to where seats are bought. */
function explain(error: unknown) {
  if (!(error instanceof ApiError) || error.reason !== 'SEATS_EXHAUSTED') return errorText(error);
  return (
    <>
      {texts.noSeats} <PlaceLink to="/billing">{texts.toBilling}</PlaceLink>
    </>
  );
}
