import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../api/error-text.js';
import { queryKeys } from '../../api/query-keys.js';
import { useClient, useMember, useSession } from '../../session/session-context.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { roleTexts } from '../../texts/roles.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { Problem } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { profileKeys } from './profile-keys.js';

type Profile = Schema<'Profile'>;

/** The name, which the person changes, and what others decide. */
export function ProfileForm({ profile }: { readonly profile: Profile }) {
  const { isBusy, error, save } = useSaving();
  const [name, setName] = useState(profile.name ?? '');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) void save(name, setName);
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <h2>{texts.you}</h2>
      <Rights profile={profile} />
      <Field
        label={texts.name}
        hint={texts.nameHint}
        value={name}
        onChange={setName}
        autoComplete="name"
        maxLength={255}
      />
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
      <div className="actions">
        <Button type="submit" isBusy={isBusy} isDisabled={name.trim() === '' || name === profile.name}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}

function Rights({ profile }: { readonly profile: Profile }) {
  const { account } = useMember();
  return (
    <dl className="facts">
      <dt>{texts.email}</dt>
      <dd>
        <bdi>{profile.email}</bdi>
      </dd>
      <dt>{texts.organization}</dt>
      <dd>
        <bdi>{account.organization_name}</bdi>
      </dd>
      <dt>{roleTexts.role}</dt>
      <dd>{roleTexts.roles[profile.role]}</dd>
      <dt>{roleTexts.seat}</dt>
      <dd>{roleTexts.seats[profile.seat]}</dd>
    </dl>
  );
}

function useSaving() {
  const client = useClient();
  const session = useSession();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async (name: string, show: (stored: string) => void) => {
    setBusy(true);
    setError(undefined);
    try {
      const { data } = await client.PATCH('/v1/profile', { body: { name } });
      queries.setQueryData(profileKeys.profile, data);
      void queries.invalidateQueries({ queryKey: queryKeys.people });
      show(data.name ?? '');
      toast(texts.saved);
      await session.refresh();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, save };
}
