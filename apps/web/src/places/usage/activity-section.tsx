import { usageTexts as texts } from '../../texts/usage.js';
import { momentText } from '../../ui/format.js';
import { List, Row } from '../../ui/list.js';
import { PlaceLink } from '../../ui/place-link.js';
import { Empty } from '../../ui/states.js';
import { Section } from './section.js';
import { ACTIVITY_EVENTS, useActivity } from './use-usage.js';

/** The newest events of the last 24 hours, as the ledger of usage has them. */
export function ActivitySection() {
  return (
    <Section title={texts.activity} hint={texts.activityHint} read={useActivity()}>
      {({ events }) =>
        events.length === 0 ? (
          <Empty icon="log" text={texts.noActivity} />
        ) : (
          <>
            <List label={texts.activity} items={events} keyOf={({ event_id: id }) => id}>
              {({ description, timestamp }) => <Row title={description} details={momentText(timestamp)} />}
            </List>
            <p className="hint">
              {events.length === ACTIVITY_EVENTS && `${texts.newest(ACTIVITY_EVENTS)} `}
              <PlaceLink to="/audit">{texts.toAudit}</PlaceLink>
            </p>
          </>
        )
      }
    </Section>
  );
}
