import { useMember } from '../../../session/session-context.js';
import { isManager } from '../../../session/session-state.js';
import { notifyConfigTexts as texts } from '../../../texts/notify-config.js';
import { Failed, Loading, Refused } from '../../../ui/states.js';
import { NotifyPage } from '../shared/notify-page.js';
import { useConfig } from '../shared/use-config.js';
import { CategoryChannels } from './category-channels.js';
import { DefaultsForm } from './defaults-form.js';
import { RefusedAddresses } from './refused-addresses.js';
import { Targets } from './targets.js';

/** The rules of all notifications; owners and admins change it. */
export function Place() {
  const canConfigure = isManager(useMember());
  return (
    <NotifyPage title={texts.title} hint={texts.hint}>
      {canConfigure ? <Sections /> : <Refused text={texts.refused} />}
    </NotifyPage>
  );
}

function Sections() {
  const config = useConfig();
  if (config.isPending) return <Loading />;
  if (config.isError) return <Failed error={config.error} retry={() => void config.refetch()} />;
  return (
    <div className="sections">
      <DefaultsForm config={config.data} />
      <CategoryChannels config={config.data} />
      <Targets config={config.data} />
      <RefusedAddresses />
    </div>
  );
}
