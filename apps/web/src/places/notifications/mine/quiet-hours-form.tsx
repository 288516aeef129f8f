import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../../api/error-text.js';
import { mineTexts as texts } from '../../../texts/notify-mine.js';
import { Button } from '../../../ui/button.js';
import { Problem } from '../../../ui/states.js';
import { Select } from '../../../ui/select.js';
import { Toggle } from '../../../ui/toggle.js';
import { useChange, type Preferences } from './use-preferences.js';

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

/** The zone of the person's system, as dates of this application are. */
const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Full hours, and the stored time if it is none. */
function timeOptions(own: string) {
  const all = hours.includes(own) ? hours : [...hours, own].toSorted();
  return all.map((value) => ({ value, text: value }));
}

/** Hours in which reminders wait. */
export function QuietHoursForm({
  preferences: { quiet_hours: stored },
}: {
  readonly preferences: Preferences;
}) {
  const { isBusy, error, change } = useChange();
  const [isOn, setOn] = useState(stored !== null);
  const [from, setFrom] = useState(stored?.from ?? '22:00');
  const [to, setTo] = useState(stored?.to ?? '07:00');
  const zone = stored?.time_zone ?? ownZone();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void change({ quiet_hours: isOn ? { from, to, time_zone: zone } : null });
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <h2>{texts.quiet}</h2>
      <p className="hint">{texts.quietHint}</p>
      <Toggle label={texts.quietOn} hint={texts.quietOnHint} isOn={isOn} onChange={setOn} />
      {isOn && (
        <>
          <Select label={texts.from} options={timeOptions(from)} value={from} onChange={setFrom} />
          <Select label={texts.to} options={timeOptions(to)} value={to} onChange={setTo} />
          <p className="hint">{texts.zone(zone)}</p>
        </>
      )}
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
      <div className="actions">
        <Button type="submit" isBusy={isBusy}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}
