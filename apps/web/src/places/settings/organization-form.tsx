import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../api/error-text.js';
import { useClient, useSession } from '../../session/session-context.js';
import { settingsTexts as texts } from '../../texts/settings.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { Problem } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { settingsKeys } from './settings-keys.js';

type Account = Schema<'Account'>;

/** Empty: no logo. */
const urlOf = (text: string) => (text.trim() === '' ? null : text.trim());

/** Stores name and logos; the shell shows the new name at once. */
function useSaving() {
  const client = useClient();
  const session = useSession();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async (body: Schema<'AccountChange'>, show: (stored: Account) => void) => {
    setBusy(true);
    setError(undefined);
    try {
      const { data } = await client.PUT('/v1/account', { body });
      queries.setQueryData(settingsKeys.account, data);
      show(data);
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

/** Name and logos of the organization. */
export function OrganizationForm({ account }: { readonly account: Account }) {
  const { isBusy, error, save } = useSaving();
  const [name, setName] = useState(account.organization_name);
  const [light, setLight] = useState(account.logo_url_light ?? '');
  const [dark, setDark] = useState(account.logo_url_dark ?? '');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const change = { organization_name: name, logo_url_light: urlOf(light), logo_url_dark: urlOf(dark) };
    void save(change, show);
  };
  // As it was stored.
  const show = (stored: Account) => {
    setName(stored.organization_name);
    setLight(stored.logo_url_light ?? '');
    setDark(stored.logo_url_dark ?? '');
  };
  const logo = { type: 'url', autoComplete: 'off', hint: texts.logoHint } as const;
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <h2>{texts.organization}</h2>
      <Field
        label={texts.name}
        hint={texts.nameHint}
        value={name}
        onChange={setName}
        autoComplete="organization"
        maxLength={255}
      />
      <Field label={texts.logoLight} value={light} onChange={setLight} {...logo} />
      <Field label={texts.logoDark} value={dark} onChange={setDark} {...logo} />
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
      <div className="actions">
        <Button type="submit" isBusy={isBusy} isDisabled={name.trim() === ''}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}
