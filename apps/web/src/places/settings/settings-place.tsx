import { useQuery } from '@tanstack/react-query';
import { useClient, useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { settingsTexts as texts } from '../../texts/settings.js';
import { Page } from '../../ui/page.js';
import { Failed, Loading, Refused } from '../../ui/states.js';
import { LinkPolicies } from './link-policies.js';
import { OrganizationForm } from './organization-form.js';
import { settingsKeys } from './settings-keys.js';

/** The name of the organization, and what applies to all of its links. */
export function Place() {
  const canManage = isManager(useMember());
  return (
    <Page title={texts.title} hint={texts.hint}>
      {canManage ? <Sections /> : <Refused text={texts.refused} />}
    </Page>
  );
}

function Sections() {
  const client = useClient();
  const account = useQuery({
    queryKey: settingsKeys.account,
    queryFn: async ({ signal }) => (await client.GET('/v1/account', { signal })).data,
  });
  const settings = useQuery({
    queryKey: settingsKeys.settings,
    queryFn: async ({ signal }) => (await client.GET('/v1/settings', { signal })).data.settings,
  });
  const failed = [account, settings].find(({ isError }) => isError);
  if (failed) return <Failed error={failed.error} retry={() => void failed.refetch()} />;
  if (!account.data || !settings.data) return <Loading />;
  return (
    <div className="sections">
      <OrganizationForm account={account.data} />
      <LinkPolicies settings={settings.data} />
    </div>
  );
}
