import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Schema } from '@vaultsvc/client';
import { numberText } from '../../texts/catalogue.js';
import { usageTexts as texts } from '../../texts/usage.js';
import { Choice } from '../../ui/choice.js';
import { bytesText } from '../../ui/format.js';
import { Empty } from '../../ui/states.js';
import { BarChart } from './bar-chart.js';
import { Section } from './section.js';
import { useBandwidth, useCounts, type Period } from './use-usage.js';

const periods = (['day', 'week', 'month', 'quarter'] as const).map((value) => ({
  value,
  text: texts.periods[value],
}));

const counts = [
  { count: 'operations', title: texts.operations },
  { count: 'sparks_created', title: texts.secrets },
  { count: 'ingots_created', title: texts.files },
] as const;

/** Usage over time, in a period that the address keeps. */
export function ChartsSection() {
  const navigate = useNavigate();
  const period = periodOf(useSearch({ strict: false }));
  const choose = (next: Period) =>
    void navigate({ to: '/usage', search: { period: next } as never, replace: true, resetScroll: false });
  const bandwidth = useBandwidth();
  return (
    <>
      <Section title={texts.overTime} hint={texts.overTimeHint} read={useCounts(period)}>
        {(data) => (
          <>
            <Choice label={texts.period} options={periods} value={period} onChange={choose} form="beside" />
            <Counts data={data} />
          </>
        )}
      </Section>
      <Section title={texts.bandwidth} hint={texts.transferredHint} read={bandwidth}>
        {({ days, total_bytes: total }) => (
          <BarChart
            title={texts.transferred}
            total={bytesText(total)}
            points={days.map(({ timestamp, bytes }) => ({ timestamp, value: bytes }))}
            unit="day"
            valueText={bytesText}
          />
        )}
      </Section>
    </>
  );
}

function periodOf(search: Readonly<Record<string, unknown>>): Period {
  return periods.find(({ value }) => value === search['period'])?.value ?? 'month';
}

function Counts({ data }: { readonly data: Schema<'UsageOverTime'> }) {
  const { data_points: points, granularity_label: label } = data;
  if (points.every(({ operations }) => operations === 0))
    return (
      <Empty icon="chart" text={texts.nothing}>
        <Link to="/send">{texts.send}</Link>
      </Empty>
    );
  return (
    <div className="charts">
      {counts.map(({ count, title }) => (
        <BarChart
          key={count}
          title={title}
          total={numberText(points.reduce((sum, { [count]: value }) => sum + value, 0))}
          points={points.map(({ timestamp, [count]: value }) => ({ timestamp, value }))}
          unit={label === 'hourly' ? 'hour' : 'day'}
          valueText={numberText}
        />
      ))}
    </div>
  );
}
