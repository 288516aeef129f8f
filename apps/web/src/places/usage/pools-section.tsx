import type { Schema } from '@vaultsvc/client';
import { usageTexts as texts } from '../../texts/usage.js';
import { bytesText, dateText } from '../../ui/format.js';
import { Badge, type BadgeKind } from '../../ui/list.js';
import { PlaceLink } from '../../ui/place-link.js';
import { percentText } from './percent-text.js';
import { Section } from './section.js';
import { usePools } from './use-usage.js';

type Pool = Schema<'UsagePool'>;

const badges: Readonly<Record<Pool['state'], BadgeKind>> = {
  ok: 'good',
  notice: 'plain',
  warning: 'warn',
  exhausted: 'bad',
};

const bytesOf = ({ used, limit }: Pool) => texts.used(bytesText(used), bytesText(limit));

/** The limits of the organization, and how much of each is used. */
export function PoolsSection() {
  return (
    <Section title={texts.pools} read={usePools()}>
      {({ storage, bandwidth, identity }) => (
        <ul className="figures">
          <PoolCard name="storage" pool={storage} amount={bytesOf(storage)} />
          <PoolCard
            name="bandwidth"
            pool={bandwidth}
            amount={bytesOf(bandwidth)}
            note={texts.renews(dateText(bandwidth.cycle_resets_at))}
          />
          <PoolCard name="seats" pool={identity} amount={texts.usedSeats(identity.used, identity.limit)} />
        </ul>
      )}
    </Section>
  );
}

interface CardProps {
  readonly name: 'storage' | 'bandwidth' | 'seats';
  readonly pool: Pool;
  readonly amount: string;
  readonly note?: string;
}

function PoolCard({ name, pool: { pct, state }, amount, note }: CardProps) {
  const percent = texts.percentUsed(percentText(pct));
  const shown = Math.min(100, Math.round(pct * 100));
  return (
    <li className="card figure">
      <h3>{texts[name]}</h3>
      <p className="amount">{amount}</p>
      <div
        className={`meter ${badges[state]}`}
        role="meter"
        aria-label={texts[name]}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={shown}
        aria-valuetext={`${amount}. ${percent}. ${texts.states[state]}.`}
      >
        {pct > 0 && <span style={{ inlineSize: `max(2px, ${shown}%)` }} />}
      </div>
      <p className="hint">{percent}</p>
      <Badge kind={badges[state]}>{texts.states[state]}</Badge>
      {note && <p className="hint">{note}</p>}
      {state === 'exhausted' && <p>{texts.refusals[name]}</p>}
      {(state === 'exhausted' || state === 'warning') && (
        <p>
          <PlaceLink to="/billing">{texts.toBilling}</PlaceLink>
        </p>
      )}
    </li>
  );
}
