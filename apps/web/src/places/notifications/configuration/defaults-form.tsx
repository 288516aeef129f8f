import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../../api/error-text.js';
import { channelTexts } from '../../../texts/notifications.js';
import { notifyConfigTexts as texts } from '../../../texts/notify-config.js';
import { Button } from '../../../ui/button.js';
import { Field } from '../../../ui/field.js';
import { Problem } from '../../../ui/states.js';
import { toast } from '../../../ui/toast.js';
import { Toggle } from '../../../ui/toggle.js';
import type { Channel } from '../shared/step.js';
import { StepsField } from '../shared/steps-field.js';
import { configOf, namesOf, stepsOf } from './config-steps.js';
import { useConfigChange, type Config } from './use-config-change.js';

/** The fields as they are stored, and as they are typed since. */
function useDefaults(config: Config) {
  const store = useConfigChange();
  const [steps, setSteps] = useState(() => stepsOf(config));
  const [escalates, setEscalates] = useState(config.delivery?.escalation_enabled !== false);
  const [sealed, setSealed] = useState(sealedText(config));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const show = (stored: Config) => {
    setSteps(stepsOf(stored));
    setEscalates(stored.delivery?.escalation_enabled !== false);
    setSealed(sealedText(stored));
    toast(texts.saved);
  };
  const save = async () => {
    setBusy(true);
    setError(undefined);
    const { default_channels, escalation_delays } = configOf(steps);
    const delivery = { escalation_enabled: escalates, escalation_delays };
    const security = { mandatory_seal_categories: namesOf(sealed) };
    await store({ default_channels, delivery, security }).then(show, setError);
    setBusy(false);
  };
  return { steps, setSteps, escalates, setEscalates, sealed, setSealed, isBusy, error, save };
}

const sealedText = ({ security }: Config) => (security?.mandatory_seal_categories ?? []).join(', ');

/** Channels that the operator sets up; the endpoints of the others are the organization's own. */
const byOperator = (Object.keys(channelTexts) as Channel[]).filter(
  (name) => !['webhook', 'slack', 'teams'].includes(name),
);

/** Default steps, reminders and sealed categories. */
export function DefaultsForm({ config }: { readonly config: Config }) {
  const form = useDefaults(config);
  const configured = config.configured_channels as Channel[];
  const missing = byOperator.filter((name) => !configured.includes(name));
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!form.isBusy) void form.save();
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <h2>{texts.steps}</h2>
      <p className="hint">{texts.stepsHint}</p>
      <StepsField steps={form.steps} configured={configured} onChange={form.setSteps} />
      {missing.length > 0 && (
        <p className="hint">{texts.missing(missing.map((name) => channelTexts[name]).join(', '))}</p>
      )}
      <Toggle
        label={texts.escalates}
        hint={texts.escalatesHint}
        isOn={form.escalates}
        onChange={form.setEscalates}
      />
      <Field
        label={texts.sealed}
        hint={texts.sealedHint}
        value={form.sealed}
        onChange={form.setSealed}
        autoComplete="off"
      />
      {form.error !== undefined && <Problem>{errorText(form.error)}</Problem>}
      <div className="actions">
        <Button type="submit" isBusy={form.isBusy}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}
