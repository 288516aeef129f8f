import type { Schema } from '@vaultsvc/client';
import { useId } from 'react';
import { auditTexts as texts } from '../../texts/audit.js';
import { Button } from '../../ui/button.js';
import { Badge, type BadgeKind } from '../../ui/list.js';
import { Failed, Loading } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { useIntegrity } from './use-audit.js';

type Integrity = Schema<'AuditIntegrity'>;

const badges: Readonly<Record<Integrity['state'], BadgeKind>> = {
  verified: 'good',
  pending: 'plain',
  broken: 'bad',
};

/** Whether somebody has changed the log: what the server has checked, and how to prove it without the server. */
export function IntegritySection() {
  const id = useId();
  const integrity = useIntegrity();
  const check = async () => {
    const { isError } = await integrity.refetch();
    if (!isError) toast(texts.checked);
  };
  return (
    <section className="card stack" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{texts.integrity}</h2>
        <Button kind="quiet" isBusy={integrity.isFetching} onPress={() => void check()}>
          {texts.checkAgain}
        </Button>
      </div>
      {integrity.isPending && <Loading />}
      {integrity.isError && <Failed error={integrity.error} retry={() => void integrity.refetch()} />}
      {integrity.isSuccess && <Verdict integrity={integrity.data} />}
      <p className="hint">
        {texts.ownProof}{' '}
        <a href="/docs/guides/audit" target="_blank" rel="noopener">
          {texts.howTo}
        </a>
      </p>
    </section>
  );
}

function Verdict({ integrity }: { readonly integrity: Integrity }) {
  const { state, entries, logged_entries: logged } = integrity;
  return (
    <div className="stack tight">
      <Badge kind={badges[state]}>{texts.states[state]}</Badge>
      {state === 'broken' && <p role="alert">{texts.broken}</p>}
      {state === 'pending' && <p>{texts.pending(entries)}</p>}
      {state === 'verified' && <p>{texts.proven(entries, logged)}</p>}
      {state === 'verified' && entries > logged && <p className="hint">{texts.notYet(entries - logged)}</p>}
    </div>
  );
}
