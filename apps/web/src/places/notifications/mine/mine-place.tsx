import { useMember } from '../../../session/session-context.js';
import { mineTexts as texts } from '../../../texts/notify-mine.js';
import { Failed, Loading } from '../../../ui/states.js';
import { NotifyPage } from '../shared/notify-page.js';
import { useConfig } from '../shared/use-config.js';
import { ChannelToggles } from './channel-toggles.js';
import { Categories } from './categories.js';
import { Devices } from './devices.js';
import { QuietHoursForm } from './quiet-hours-form.js';
import { usePreferences } from './use-preferences.js';

/** The person's own channels, quiet hours and devices. */
export function Place() {
  const { user } = useMember();
  return (
    <NotifyPage title={texts.title} hint={texts.hint(user.email)}>
      <Sections />
    </NotifyPage>
  );
}

function Sections() {
  const preferences = usePreferences();
  const config = useConfig();
  const failed = [preferences, config].find(({ isError }) => isError);
  if (failed) return <Failed error={failed.error} retry={() => void failed.refetch()} />;
  if (!preferences.data || !config.data) return <Loading />;
  return (
    <div className="sections">
      <ChannelToggles preferences={preferences.data} configured={config.data.configured_channels} />
      <Categories preferences={preferences.data} />
      <QuietHoursForm preferences={preferences.data} />
      <Devices />
    </div>
  );
}
