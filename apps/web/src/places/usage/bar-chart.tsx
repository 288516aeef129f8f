import { useId } from 'react';
import { usageTexts as texts } from '../../texts/usage.js';
import { pointText, type PointUnit } from './point-text.js';

export interface Point {
  readonly timestamp: number;
  readonly value: number;
}

interface Props {
  readonly title: string;
  /** The sum of the values, with its unit. */
  readonly total: string;
  /** Oldest first. */
  readonly points: readonly Point[];
  readonly unit: PointUnit;
  readonly valueText: (value: number) => string;
}

/** Bars over time, with the same values in a table, which is their accessible form. */
export function BarChart(props: Props) {
  const { title, total, points } = props;
  const id = useId();
  const isEmpty = points.every(({ value }) => value === 0);
  return (
    <figure className="card chart" aria-labelledby={id}>
      <figcaption>
        <h3 id={id}>{title}</h3>
        <p className="amount">{total}</p>
      </figcaption>
      {isEmpty ? (
        <p className="hint">{texts.noneOf}</p>
      ) : (
        <>
          <Bars {...props} />
          <Table {...props} />
        </>
      )}
    </figure>
  );
}

const mostOf = (points: readonly Point[]): Point =>
  points.reduce((one, other) => (other.value > one.value ? other : one));

/** Of a bar and the gap after it, and of the highest bar, in units of the drawing; the browser stretches it. */
const [STEP, GAP, HEIGHT] = [10, 2, 100];

function Bars({ title, total, points, unit, valueText }: Props) {
  const most = mostOf(points);
  const [first, last] = [points[0], points.at(-1)];
  const label = texts.summary(title, total, pointText(most.timestamp, unit), valueText(most.value));
  return (
    <div>
      <p className="hint chart-top">{valueText(most.value)}</p>
      <svg
        className="bars"
        role="img"
        aria-label={label}
        viewBox={`0 0 ${points.length * STEP - GAP} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {points.map(({ timestamp, value }, index) => {
          const height = (value / most.value) * HEIGHT;
          return (
            <rect key={timestamp} x={index * STEP} y={HEIGHT - height} width={STEP - GAP} height={height}>
              <title>{`${pointText(timestamp, unit)}: ${valueText(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="hint chart-ends" aria-hidden="true">
        <span>{first && pointText(first.timestamp, unit)}</span>
        <span>{last && pointText(last.timestamp, unit)}</span>
      </p>
    </div>
  );
}

/** Newest first, with the rows of no use: a gap says something, too. */
function Table({ title, points, unit, valueText }: Props) {
  return (
    <details className="values">
      <summary aria-label={texts.tableOf(title)}>{texts.asTable}</summary>
      <div className="values-table" tabIndex={0} role="region" aria-label={texts.tableOf(title)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{unit === 'day' ? texts.dayColumn : texts.hourColumn}</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map(({ timestamp, value }) => (
              <tr key={timestamp}>
                <th scope="row">{pointText(timestamp, unit)}</th>
                <td>{valueText(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
