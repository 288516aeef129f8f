import { errorText } from '../../../api/error-text.js';
import { channelTexts } from '../../../texts/notifications.js';
import { mineTexts as texts } from '../../../texts/notify-mine.js';
import { Problem } from '../../../ui/states.js';
import { Toggle } from '../../../ui/toggle.js';
import { useChange, type Preferences } from './use-preferences.js';

type Channel = Preferences['channels_off'][number];

/** Channels that belong to the organization rather than to a person. */
const shared: readonly Channel[] = ['webhook', 'slack', 'teams'];

interface Props {
  readonly preferences: Preferences;
  readonly configured: readonly string[];
}

/** A switch for each channel that can reach a person; each is stored at once. */
export function ChannelToggles({ preferences: { channels_off: off }, configured }: Props) {
  const { isBusy, error, change } = useChange();
  const all = Object.keys(channelTexts) as Channel[];
  const offered = all.filter(
    (channel) => !shared.includes(channel) && (configured.includes(channel) || off.includes(channel)),
  );
  const set = (channel: Channel, isOn: boolean) => {
    const others = off.filter((one) => one !== channel);
    void change({ channels_off: isOn ? others : [...others, channel] });
  };
  return (
    <section className="card stack">
      <h2>{texts.channels}</h2>
      <p className="hint">{texts.channelsHint}</p>
      {offered.map((channel) => (
        <Toggle
          key={channel}
          label={channelTexts[channel]}
          hint={texts.channelHints[channel] ?? texts.otherHint}
          isOn={!off.includes(channel)}
          isBusy={isBusy}
          onChange={(isOn) => set(channel, isOn)}
        />
      ))}
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
    </section>
  );
}
