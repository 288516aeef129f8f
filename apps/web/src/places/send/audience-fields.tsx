import { sendTexts } from '../../texts/send.js';
import { Choice } from '../../ui/choice.js';
import { Field } from '../../ui/field.js';
import { draftStore, type Audience, type Draft } from './draft.js';
import type { DraftProblem } from './draft-problem.js';

const options = [
  { value: 'public', text: sendTexts.public, hint: sendTexts.publicHint },
  { value: 'authenticated', text: sendTexts.authenticated, hint: sendTexts.authenticatedHint },
  { value: 'invite_only', text: sendTexts.inviteOnly, hint: sendTexts.inviteOnlyHint },
] as const;

interface Props {
  readonly draft: Draft;
  readonly problem: DraftProblem | undefined;
}

/** Who can open the link; of an address also from where. */
export function AudienceFields({ draft, problem }: Props) {
  const { kind, audience, recipient, boundIp } = draft;
  return (
    <>
      <Choice<Audience>
        label={sendTexts.audience}
        value={audience}
        onChange={(chosen) => draftStore.update({ audience: chosen })}
        options={options}
      />
      {audience === 'invite_only' && (
        <Field
          label={sendTexts.recipient}
          hint={sendTexts.recipientHint}
          value={recipient}
          onChange={(text) => draftStore.update({ recipient: text })}
          problem={problem?.field === 'recipient' ? problem.text : undefined}
          autoComplete="off"
          maxLength={254}
        />
      )}
      {kind === 'link' && (
        <Field
          label={sendTexts.boundIp}
          hint={sendTexts.boundIpHint}
          value={boundIp}
          onChange={(text) => draftStore.update({ boundIp: text })}
          autoComplete="off"
          maxLength={45}
        />
      )}
    </>
  );
}
