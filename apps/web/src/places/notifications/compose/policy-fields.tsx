import { channelTexts, levelTexts } from '../../../texts/notifications.js';
import { composeTexts as texts, lifetimeTexts } from '../../../texts/notify-compose.js';
import { Choice } from '../../../ui/choice.js';
import { Field } from '../../../ui/field.js';
import { Select } from '../../../ui/select.js';
import { StepsField } from '../shared/steps-field.js';
import { useConfig } from '../shared/use-config.js';
import type { Channel } from '../shared/step.js';
import { edit, type Draft } from './draft.js';
import { stepsByDefault } from './send-body.js';

const levels = Object.keys(levelTexts) as Draft['level'][];
const actions = Object.keys(texts.actions) as Draft['interaction'][];

/** The conditions of opening: who, with which proof and action, and for how long. */
export function PolicyFields({ draft }: { readonly draft: Draft }) {
  return (
    <>
      <Select
        label={texts.proof}
        hint={texts.proofHints[draft.level]}
        options={levels.map((value) => ({ value, text: levelTexts[value] }))}
        value={draft.level}
        onChange={(level) => edit({ level })}
      />
      <Select
        label={texts.action}
        hint={texts.actionHint}
        options={actions.map((value) => ({ value, text: texts.actions[value] }))}
        value={draft.interaction}
        onChange={(interaction) => edit({ interaction })}
      />
      {draft.level === 'none' && draft.interaction !== 'view' && <p className="remark">{texts.unproven}</p>}
      <Select
        label={texts.lifetime}
        options={Object.entries(lifetimeTexts).map(([value, text]) => ({ value, text }))}
        value={draft.lifetime}
        onChange={(lifetime) => edit({ lifetime })}
      />
    </>
  );
}

/** Category and channels, which most notifications leave as they are. */
export function DeliveryFields({ draft }: { readonly draft: Draft }) {
  const { data: config } = useConfig();
  const configured = (config?.configured_channels ?? ['email']) as Channel[];
  const names = config && stepsByDefault(draft, config).map(({ channel }) => channelTexts[channel]);
  return (
    <>
      <Field
        label={texts.category}
        hint={texts.categoryHint}
        value={draft.category}
        onChange={(category) => edit({ category })}
        autoComplete="off"
        maxLength={64}
      />
      <Choice
        label={texts.how}
        value={draft.isByDefault ? 'default' : 'own'}
        onChange={(value) => edit({ isByDefault: value === 'default' })}
        options={[
          { value: 'default', text: texts.byDefault, hint: names?.join(', ') },
          { value: 'own', text: texts.own },
        ]}
      />
      {!draft.isByDefault && (
        <>
          <StepsField steps={draft.steps} configured={configured} onChange={(steps) => edit({ steps })} />
          {config?.delivery?.escalation_enabled === false && <p className="remark">{texts.onlyFirst}</p>}
        </>
      )}
    </>
  );
}
