import { useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../api/error-text.js';
import { useKept } from '../../api/kept.js';
import { useClient } from '../../session/session-context.js';
import { domainsTexts as texts } from '../../texts/domains.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { Problem } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { claimStore, findingOf, forgetClaim, type Finding } from './claim-draft.js';
import { RecordFields } from './record-fields.js';
import { domainsKey } from './use-domains.js';

/** Names a domain, shows its record, and claims it once the record was found. */
export function ClaimForm() {
  const { record } = useKept(claimStore);
  return (
    <section className="card stack">
      <h2>{record ? texts.publish(record.domain) : texts.claim}</h2>
      {record ? <RecordStep /> : <DomainStep />}
    </section>
  );
}

/** Runs a step; its refusal is shown beside its button. */
function useStep() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (step: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    await step().catch(setError);
    setBusy(false);
  };
  return { isBusy, error, run };
}

function DomainStep() {
  const client = useClient();
  const { domain } = useKept(claimStore);
  const { isBusy, error, run } = useStep();
  const challenge = async () => {
    const { data } = await client.POST('/v1/domains/challenge', { body: { domain } });
    claimStore.update({ record: data });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(challenge);
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field
        label={texts.domain}
        hint={texts.domainHint}
        value={domain}
        onChange={(text) => claimStore.update({ domain: text })}
        autoComplete="off"
        maxLength={254}
      />
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
      <div className="actions">
        <Button type="submit" isBusy={isBusy} isDisabled={domain.trim() === ''}>
          {texts.getRecord}
        </Button>
      </div>
    </form>
  );
}

function RecordStep() {
  const client = useClient();
  const queries = useQueryClient();
  const { record, finding } = useKept(claimStore);
  const { isBusy, error, run } = useStep();
  if (!record) return null;
  const { domain, txt_name: host, txt_value: value } = record;
  const claim = async () => {
    try {
      await client.POST('/v1/domains', { body: { domain } });
    } catch (thrown) {
      const seen = findingOf(thrown);
      claimStore.update({ finding: seen });
      if (seen) return;
      throw thrown;
    }
    await queries.invalidateQueries({ queryKey: domainsKey });
    toast(texts.claimed(domain));
    forgetClaim();
  };
  return (
    <>
      <RecordFields domain={domain} host={host} value={value} />
      {finding && !isBusy && <FindingText finding={finding} />}
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
      <div className="actions">
        <Button isBusy={isBusy} onPress={() => void run(claim)}>
          {texts.check}
        </Button>
        <Button kind="quiet" onPress={forgetClaim}>
          {texts.other}
        </Button>
      </div>
    </>
  );
}

/** What the check saw beside what it expects. */
function FindingText({ finding }: { readonly finding: Finding }) {
  return (
    <div className="finding stack tight" role="alert">
      <p>
        <strong>{texts.notFound}</strong>
      </p>
      <dl className="facts">
        <dt>{texts.lookedUp}</dt>
        <dd dir="ltr">{finding.lookedUp}</dd>
        <dt>{texts.expected}</dt>
        <dd dir="ltr">{finding.expected}</dd>
        <dt>{texts.found}</dt>
        <dd>{finding.found}</dd>
      </dl>
      <p className="hint">{texts.notFoundHint}</p>
    </div>
  );
}
