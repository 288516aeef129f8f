import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useState } from 'react';
import { useClient, useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { commonTexts } from '../../texts/common.js';
import { domainsTexts as texts } from '../../texts/domains.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog, Dialog } from '../../ui/dialog.js';
import { dateText } from '../../ui/format.js';
import { List, Row } from '../../ui/list.js';
import { Page } from '../../ui/page.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { ClaimForm } from './claim-form.js';
import { RecordFields } from './record-fields.js';
import { domainsKey, useDomains } from './use-domains.js';

type Domain = Schema<'Domain'>;

/** The e-mail domains that the organization has claimed, and a claim. */
export function Place() {
  const canManage = isManager(useMember());
  return (
    <Page title={texts.title} hint={canManage ? texts.hint : `${texts.hint} ${texts.readOnly}`}>
      <div className="sections">
        <Domains canManage={canManage} />
        {canManage && <ClaimForm />}
      </div>
    </Page>
  );
}

function Domains({ canManage }: { readonly canManage: boolean }) {
  const domains = useDomains();
  const [shown, show] = useState<Domain>();
  const [released, release] = useState<string>();
  if (domains.isPending) return <Loading />;
  if (domains.isError) return <Failed error={domains.error} retry={() => void domains.refetch()} />;
  if (domains.data.length === 0) return canManage ? null : <Empty icon="domain" text={texts.empty} />;
  return (
    <>
      <List label={texts.list} items={domains.data} keyOf={({ domain }) => domain}>
        {(domain) => (
          <Row
            title={<bdi>{domain.domain}</bdi>}
            details={texts.verified(dateText(domain.verified_at))}
            actions={
              <>
                <Button
                  kind="quiet"
                  label={commonTexts.actionOn(texts.showRecord, domain.domain)}
                  onPress={() => show(domain)}
                >
                  {texts.showRecord}
                </Button>
                {canManage && (
                  <Button
                    kind="quiet"
                    label={commonTexts.actionOn(texts.release, domain.domain)}
                    onPress={() => release(domain.domain)}
                  >
                    {texts.release}
                  </Button>
                )}
              </>
            }
          />
        )}
      </List>
      {shown && <RecordDialog domain={shown} onClose={() => show(undefined)} />}
      {released !== undefined && <ReleaseDialog domain={released} onClose={() => release(undefined)} />}
    </>
  );
}

function RecordDialog({ domain, onClose }: { readonly domain: Domain; readonly onClose: () => void }) {
  return (
    <Dialog title={texts.recordOf(domain.domain)} onClose={onClose}>
      <RecordFields domain={domain.domain} host={domain.txt_name} value={domain.txt_value} />
      <p className="hint">{texts.recheck}</p>
      <div className="actions">
        <Button kind="quiet" onPress={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </Dialog>
  );
}

function ReleaseDialog({ domain, onClose }: { readonly domain: string; readonly onClose: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const act = async () => {
    await client.DELETE('/v1/domains/{domain}', { params: { path: { domain } } });
    await queries.invalidateQueries({ queryKey: domainsKey });
    toast(texts.released);
  };
  return (
    <ConfirmDialog
      title={texts.releaseTitle}
      text={texts.releaseText(domain)}
      confirm={texts.release}
      act={act}
      onClose={onClose}
    />
  );
}
