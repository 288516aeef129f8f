import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../api/error-text.js';
import { useClient } from '../../session/session-context.js';
import { settingsTexts as texts } from '../../texts/settings.js';
import { Problem } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { Toggle } from '../../ui/toggle.js';
import { settingsKeys } from './settings-keys.js';

const policies = [
  { key: 'links_ask_first', label: texts.asksFirst, hint: texts.asksFirstHint },
  { key: 'links_show_organization', label: texts.showsOrganization, hint: texts.showsOrganizationHint },
] as const;

/** What applies to all links of the organization; each is stored at once. */
export function LinkPolicies({ settings }: { readonly settings: Readonly<Record<string, unknown>> }) {
  const client = useClient();
  const queries = useQueryClient();
  const [busy, setBusy] = useState<string>();
  const [error, setError] = useState<unknown>();
  const change = async (key: string, isOn: boolean) => {
    setBusy(key);
    setError(undefined);
    try {
      const { data } = await client.PUT('/v1/settings', { body: { settings: { [key]: isOn } } });
      queries.setQueryData(settingsKeys.settings, data.settings);
      toast(texts.saved);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <section className="card stack">
      <h2>{texts.links}</h2>
      {policies.map(({ key, label, hint }) => (
        <Toggle
          key={key}
          label={label}
          hint={hint}
          isOn={settings[key] === true}
          isBusy={busy === key}
          onChange={(isOn) => void change(key, isOn)}
        />
      ))}
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
    </section>
  );
}
